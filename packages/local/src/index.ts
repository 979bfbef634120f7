export { startBalancer } from './balancer.ts';
export { urlOfBrokerUser } from './broker-users.ts';
export { compileCache } from './compile-cache.ts';
export { cacheFolder, withUnpacked } from './distribution-packages.ts';
export { startEmbeddedPostgres as startPrivatePostgres } from './embedded-postgres.ts';
export {
  beginInfrastructure,
  type FindOptions,
  findInfrastructure,
  type Infrastructure,
} from './infrastructure.ts';
export { type KeyPair, newKeyPair } from './key-pair.ts';
export { type LogTail, logTails } from './logs.ts';
export { logInOperator, type OperatorLogin, operatorToken } from './operator-login.ts';
export { buildDocs, buildPages } from './pages.ts';
export { chooseAddresses } from './platform/addresses.ts';
export { type DatabaseUrls, databaseNameOf, ensureDatabases } from './platform/databases.ts';
export { ensureMerchant } from './platform/demo-merchant.ts';
export {
  type Platform,
  type PlatformFacts,
  type PlatformOptions,
  startPlatform,
} from './platform/platform.ts';
export { databasePasswordsFor, recallSecrets } from './platform/secrets.ts';
export type { Release, ServiceProcess } from './platform/service-process.ts';
export { type ServiceName, serviceNames, settingsOf, webSettingsOf } from './platform/settings-of.ts';
export { freePort, freePorts, isAlive } from './ports.ts';
export {
  prepareRabbitmq,
  type RabbitmqServer as PrivateBroker,
  startPrivateBroker,
} from './private-rabbitmq.ts';
export { launch, waitUntilReady } from './processes.ts';
export { MissingServer, type OwnServer as PrivateServer } from './server.ts';
export { eventually, WAIT_TIMEOUT_MS, type WaitOptions } from './wait.ts';
