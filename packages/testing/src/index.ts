export { type Answer, type Delivery, type FakeMerchant, startFakeMerchant } from './fake-merchant.ts';
export { type FindOptions, findInfrastructure, type Infrastructure } from './infrastructure.ts';
export {
  type Platform,
  type PlatformFacts,
  type PlatformOptions,
  startPlatform,
} from './platform/platform.ts';
export { type PrivateServer, startPrivateBroker, startPrivatePostgres } from './private-servers.ts';
export { claimVhost, createTestDatabase, type TestDatabase } from './test-database.ts';
export { eventually, type WaitOptions } from './wait.ts';
