export { type Authority, type Certificate, createAuthority } from './certificates.ts';
export { type DoomedProcess, startDoomedProcess } from './doomed-process.ts';
export { type Answer, type Delivery, type FakeMerchant, startFakeMerchant } from './fake-merchant.ts';
export {
  answeringWith,
  type Behaviour,
  doneThen,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  type Held,
  holding,
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
export { type CollectedSpan, type FakeCollector, startFakeCollector } from './fakes/fake-collector.ts';
export { type FakeGateway, startFakeGateway } from './fakes/fake-gateway.ts';
export { type Loopback, startLoopback } from './fakes/loopback.ts';
export { type FindOptions, findInfrastructure, type Infrastructure } from './infrastructure.ts';
export { type KeyPair, newKeyPair } from './key-pair.ts';
export { type MetricsDoor, metricsDoor, type Scraped } from './metrics.ts';
export { type Bank, bankOf, type Truth } from './platform/bank.ts';
export {
  type Platform,
  type PlatformFacts,
  type PlatformOptions,
  startPlatform,
} from './platform/platform.ts';
export type { ServiceProcess } from './platform/service-process.ts';
export { type ServiceName, serviceNames } from './platform/settings-of.ts';
export {
  type PrivateBroker,
  type PrivateServer,
  startPrivateBroker,
  startPrivatePostgres,
} from './private-servers.ts';
export { claimVhost, createTestDatabase, type TestDatabase } from './test-database.ts';
export { claimSite, type TestSite } from './test-site.ts';
export { eventually, type WaitOptions } from './wait.ts';
