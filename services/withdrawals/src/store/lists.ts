import type { AdminWithdrawalQuery, AlarmPartQuery, PayoutAlarmQuery } from '@plataforma/contracts';
import {
  byMillisecond,
  type ComposedQuery,
  type Page,
  type Queryable,
  readPage,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import { invisibleStatuses, type Withdrawal } from '../domain/withdrawal.ts';
import {
  ALARM_COLUMNS,
  type AlarmRow,
  alarmOf,
  type PayoutAlarm,
  SETTLEABLE_COLUMNS,
  type SettleableAlarm,
  type SettleableRow,
} from './payout-alarms.ts';
import { WITHDRAWAL_COLUMNS, withdrawalOf } from './withdrawal-rows.ts';

/** The count of a list stops at this number, because a list of all merchants would count too many rows. */
const MAX_COUNTED = 10_000;

/**
 * Lists withdrawals of all merchants. `stuck` selects Pix withdrawals that started before `stuckSince` and
 * have not ended.
 */
export async function listAllWithdrawals(
  db: Queryable,
  query: AdminWithdrawalQuery,
  stuckSince: Date,
): Promise<Page<Withdrawal>> {
  const matching = ofOwner(visible('withdrawals'), query);
  if (query.status) matching.where('status', query.status);
  if (query.method) matching.where('method', query.method);
  if (query.stuck) {
    matching.where({ status: 'PROCESSING', method: 'PIX' }).where('started_at', '<', stuckSince);
  }
  const listing = { matching: matching.select(selected(WITHDRAWAL_COLUMNS)), itemOf: withdrawalOf };
  return readPage(db, { ...listing, countAtMost: MAX_COUNTED }, query);
}

export async function listPayoutAlarms(db: Queryable, query: PayoutAlarmQuery): Promise<Page<PayoutAlarm>> {
  // Exclude alarms about the ledger's records. This list contains only contradictions between a provider's
  // report and a payout's status.
  const matching = ofOwner(sql('payout_alarms').whereNot('recorded', 'APPROVED'), query);
  return readPage(
    db,
    { matching: matching.select(selected(ALARM_COLUMNS)), itemOf: alarmOf<AlarmRow> },
    query,
  );
}

export async function listAlarms(
  db: Queryable,
  query: AlarmPartQuery,
): Promise<{ total: number; alarms: SettleableAlarm[] }> {
  const matching = ofOwner(byMillisecond('payout_alarms', 'created_at', SETTLEABLE_COLUMNS), query);
  if (query.settled === 'true') matching.whereNotNull('settled_at');
  if (query.settled === 'false') matching.whereNull('settled_at');
  const slice = { page: 1, limit: query.newest, after: query.after };
  const { items: alarms, total } = await readPage(db, { matching, itemOf: alarmOf<SettleableRow> }, slice);
  return { total, alarms };
}

function visible(table: string): ComposedQuery {
  return sql(table).whereNotIn('status', [...invisibleStatuses]);
}

interface OwnerQuery {
  merchantId?: string | undefined;
  environment?: string | undefined;
}

function ofOwner(matching: ComposedQuery, { merchantId, environment }: OwnerQuery) {
  if (merchantId) matching.where('merchant_id', merchantId);
  if (environment) matching.where('environment', environment);
  return matching;
}
