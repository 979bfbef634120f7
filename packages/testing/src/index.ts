export {
  type DatabaseUrls,
  eventually,
  type FindOptions,
  findInfrastructure,
  freePort,
  type Infrastructure,
  type KeyPair,
  logInOperator,
  newKeyPair,
  type OperatorLogin,
  operatorToken,
  type Platform,
  type PlatformFacts,
  type PlatformOptions,
  type PrivateBroker,
  type PrivateServer,
  prepareRabbitmq,
  type Release,
  type ServiceName,
  type ServiceProcess,
  serviceNames,
  startBalancer,
  startPlatform,
  startPrivateBroker,
  startPrivatePostgres,
  urlOfBrokerUser,
  WAIT_TIMEOUT_MS,
  type WaitOptions,
} from '@plataforma/local';
export { type Bank, bankOf, type Truth } from './bank.ts';
export { type Authority, type Certificate, createAuthority } from './certificates.ts';
export { type DoomedProcess, startDoomedProcess } from './doomed-process.ts';
export { evidenceForm, JPEG, PDF, PNG, withPixels } from './evidence-files.ts';
export { type Answer, type Delivery, type FakeMerchant, startFakeMerchant } from './fake-merchant.ts';
export {
  answeringWith,
  type Behaviour,
  type Blocked,
  blocking,
  doneThen,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  honest,
  nothingHere,
  type Reply,
  refused,
  reset,
  sendReply,
  silence,
  tokenEnded,
  tooMany,
} from './fakes/behaviours.ts';
export {
  type ProducerSigners,
  signedEventsOnly,
  signedHeaders,
  signerOf,
  signersWith,
  testSigner,
  testSigners,
} from './fakes/event-keys.ts';
export { type CollectedSpan, type FakeCollector, startFakeCollector } from './fakes/fake-collector.ts';
export { clockMoved, type FakeGateway, merchantUpdated, startFakeGateway } from './fakes/fake-gateway.ts';
export { type Loopback, startLoopback } from './fakes/loopback.ts';
export { createScript, type Script } from './fakes/script.ts';
export { cnpjOf } from './fixtures/cnpj.ts';
export { markdownTable } from './markdown.ts';
export { writeMeasuredPart } from './measured-part.ts';
export { type MetricsScraper, openMetricsScraper, type Scraped } from './metrics-scraper.ts';
export { endPauseSql, monthOf, monthSql, startOfMonth } from './month-of.ts';
export { pastMonthsSql } from './past-months.ts';
export { runPnpm } from './pnpm.ts';
export { isCampaign, rounds } from './rounds.ts';
export { namesOf, runFacts, type ServerVersions, serverVersions } from './run-facts.ts';
export { joinPlatform, type SharedPlatform } from './run-platform.ts';
export { claimVhost, createTestDatabase, type TestDatabase } from './test-database.ts';
export { claimSite, type TestSite } from './test-site.ts';
export { RACES_MS, REPEAT_MS, TICK_MS } from './timeouts.ts';
export { rowsAt, withDatabase } from './with-database.ts';
