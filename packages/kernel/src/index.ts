export { backoff } from './backoff.ts';
export { addBankDays, isBankDay } from './bank-days.ts';
export { normalized, unwrapped, visibleLine, withoutInvisible, withPlainHyphens } from './characters.ts';
export { type Clock, daysBefore, later, type MerchantTime, systemClock } from './clock.ts';
export { ConfigError, readConfig, setting } from './config.ts';
export { fromDecimal, readDecimal, toDecimal } from './decimal.ts';
export {
  hasCnpjShape,
  hasCpfShape,
  isCnpj,
  isCpf,
  maskedDocument,
  normaliseDocument,
} from './documents.ts';
export { type Environment, environments, PLATFORM_ID, type Tenant } from './environment.ts';
export { FIRST_ID, firstIdOf, isUuid, newId, timeOfId } from './ids.ts';
export { type Cents, MAX_AMOUNT, MIN_AMOUNT, portion } from './money.ts';
export { oneAtATimeByName } from './one-at-a-time.ts';
export { type ClientFor, type ProviderScope, perEnvironment } from './per-environment.ts';
export { normalisePhone } from './phones.ts';
export { Declined, Enrolment, PasskeyRequired, Refusal, type RefusalKind, refusalsOf } from './refusal.ts';
export { withNextSequence } from './sequence.ts';
export { next, requireNext, type Table } from './state-table.ts';
export {
  addDays,
  BANK_TIME_ZONE,
  type BankDay,
  bankDayOf,
  dayOf,
  inZone,
  startOfDay,
  type TimeZone,
  timeZones,
} from './time-zones.ts';
export { localPath, webAddress } from './web-addresses.ts';
