export type { IRouter as Router } from 'express';
export { failPoint, sometimes } from '#fail-points';
export { openAlarmGauges, serveAlarms, settleAlarm } from './alarms.ts';
export { auditTable, writeAudit } from './audit.ts';
export { auditChain } from './audit-chain.ts';
export { listAudit, verifyAudit } from './audit-reading.ts';
export { auditRoutes } from './audit-routes.ts';
export { createAuthorizedExchange } from './authorized-exchange.ts';
export { backoff } from './backoff.ts';
export { callbackSecrets, serveCallback } from './callback-secret.ts';
export { readClientTls } from './client-tls.ts';
export { coalesced } from './coalesced.ts';
export { ConfigError, readConfig, serviceSettings, setting } from './config.ts';
export { connectorToReplicas } from './connector.ts';
export { continueTrace, currentContext, outsideContext, runInContext, traceIdOf } from './context.ts';
export { type Database, openDatabase, type Queryable, type Row, type Transaction } from './database.ts';
export { startDatabaseClock } from './database-clock.ts';
export { isDuplicate, isTransientDatabaseError } from './database-errors.ts';
export { every, runJob } from './every.ts';
export {
  type ClientTls,
  createExchange,
  IDLE_CONNECTION_MS,
  type PeerAnswer,
  type PeerRequest,
} from './exchange.ts';
export type { Gate } from './gate.ts';
export { sendRefusal } from './http-errors.ts';
export {
  type HttpRequest,
  type HttpServer,
  headerOf,
  type Shortcut,
  startHttpServer,
} from './http-server.ts';
export { idempotencyOwners, idempotencyTable, startForgettingKeys } from './idempotency.ts';
export {
  createSigner,
  createVerifier,
  IDENTITY_HEADER,
  type Identity,
  type MerchantIdentity,
  type OperatorIdentity,
  type Signer,
  signingKey,
  trustedKeys,
  type Verifier,
} from './identity.ts';
export { createLog, type Log } from './log.ts';
export { mask } from './mask.ts';
export {
  createMerchantDirectory,
  keepMerchants,
  type MerchantDirectory,
  merchantsTable,
} from './merchants.ts';
export { metricCatalogue } from './metric-catalogue.ts';
export { type GaugeSample, type ReadGauges, recorder } from './metrics.ts';
export { startMetrics } from './metrics-server.ts';
export { type Migration, migrate, migrateOnStart } from './migrate.ts';
export { startNotifications } from './notifications.ts';
export { type ActiveOperators, createOperatorDirectory } from './operators.ts';
export { createOutbound, type Outbound, reasonAgainst } from './outbound.ts';
export { OutboundError } from './outbound-error.ts';
export { type ComposedQuery, composeSql, readPage, runComposed } from './paging.ts';
export { perEnvironment } from './per-environment.ts';
export { createPlaces, type Places } from './places.ts';
export { measured } from './provider-calls.ts';
export { type Keep, type Remembering, remembering } from './remembering.ts';
export { type Running, runProcess } from './run.ts';
export { runMigrations } from './run-migrations.ts';
export { createSecretBox, type SecretBox, sealingKeys } from './secret-box.ts';
export {
  type Answer,
  type Call,
  demandJson,
  demandRole,
  demandScope,
  demandService,
  hasBody,
  merchantOf,
  openTo,
  pageMeta,
  readBody,
  serve,
  serveOperator,
  servePublic,
  serveTo,
} from './serve.ts';
export { type Once, serveOnce, serveOnceTo, serveOperatorOnce } from './serve-once.ts';
export type { Span } from './span.ts';
export { createStartRetry } from './start-retry.ts';
export { createStops, HeldByStop, type Stops, waitingFor } from './stops/gate.ts';
export { type HeldOrders, readStopGauges } from './stops/held-orders.ts';
export { activeStops, type Stop } from './stops/stop.ts';
export { stopRoutes } from './stops/stop-routes.ts';
export { stopsTable } from './stops/stops-table.ts';
export {
  decisionsAbout,
  nothingOnRecord,
  serveTimeline,
  TIMELINE_LIMIT,
  traceIn,
  wordsOf,
} from './timeline.ts';
export { publicHalf, readToken, signToken, type TokenKey, tokenSigningKey } from './token-keys.ts';
export { asCall, beginJob, beginSpan, startTraces } from './traces.ts';
export { unknownOutcomes } from './unknown-outcomes.ts';
export { validate } from './validation.ts';
