export type { IRouter as Router, Request } from 'express';
export { answerTypeOf } from './accept.ts';
export { ANSWER_HEADERS, setAnswerHeaders } from './answer-headers.ts';
export { auditRoutes } from './audit-routes.ts';
export {
  createAuthorizedExchange,
  createKeyedExchange,
  type Gate,
  type ProviderExchange,
} from './authorized-exchange.ts';
export { hasBody, requireJson } from './body-type.ts';
export {
  type AnonymousCaller,
  type Bulkhead,
  type CallerClass,
  callerClasses,
  classOf,
  createBulkhead,
  createSlots,
  type Holder,
} from './bulkhead.ts';
export { authenticateCaller } from './caller.ts';
export {
  type AddressOf,
  addressRanges,
  cameByHttps,
  clientAddress,
  FORWARDED_FOR_IGNORED,
  isForwardedForIgnored,
} from './client-address.ts';
export type { ConnectionLimit } from './connection-limit.ts';
export { connectorToReplicas } from './connector.ts';
export type { CsvRow } from './csv.ts';
export { fileNameOf, serveCsv, serveFile, serveOperatorFile } from './file.ts';
export { countFor, environmentOf, type HttpRequest, headerOf } from './follow.ts';
export { FORM_TIMEOUT_FACTOR } from './form.ts';
export { type HostNames, isOwnHost } from './host-names.ts';
export { answeredElsewhere, errorOf, recordError, sendRefusal } from './http-errors.ts';
export {
  type ForwardWithoutExpress,
  type HttpServer,
  type HttpServerOptions,
  startHttpServer,
} from './http-server.ts';
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
export {
  type ClientTls,
  createJsonClient,
  IDLE_CONNECTION_MS,
  type PeerAnswer,
  type PeerRequest,
  readClientTls,
} from './json-client.ts';
export { ANSWER_SLOT_BYTES, createSendFile, leaving, type SendFile } from './long-answers.ts';
export { listen } from './node-server.ts';
export { orderSecrets } from './order-macs.ts';
export {
  createOrderSigner,
  createOrderVerifier,
  DECISION_HEADER,
  ORDER_HEADER,
  ORDERED_BODY_HEADER,
  type OrderVerifier,
  orderDigest,
  orderModes,
  type SignedOrder,
  signOrder,
} from './order-token.ts';
export { createOutbound, type Outbound, type OutboundRules, reasonAgainst } from './outbound.ts';
export { OutboundError } from './outbound-error.ts';
export { pageMeta, pageOf } from './pages.ts';
export { createPeerClient, type PeerClient } from './peer-client.ts';
export { LEAVES, type PoolName, pools } from './pools.ts';
export {
  isForRole,
  merchantOf,
  operatorOf,
  requireFreshFactor,
  requireRole,
  requireScope,
  requireService,
} from './principals.ts';
export { readBody } from './read-body.ts';
export { refuseAmbiguous, refuseContradictory } from './refuse-ambiguous.ts';
export { type Resource, readOnly, requireMethod, routeTable } from './route-table.ts';
export {
  type Answer,
  type Call,
  openTo,
  serve,
  serveAnonymous,
  serveOperator,
  serveTo,
} from './serve.ts';
export { callbackSecrets, serveCallback } from './serve-callback.ts';
export {
  type IdempotencyRecord,
  type SaveResponse,
  serveIdempotent,
  serveIdempotentTo,
  serveOperatorIdempotent,
} from './serve-idempotent.ts';
export { type SpecialRange, specialRanges } from './special-ranges.ts';
export { publicHalf, readToken, signToken, type TokenKey, tokenKey, tokenSigningKey } from './token-keys.ts';
export { validate } from './validation.ts';
export { whenClosed } from './when-closed.ts';
export { limitBodyTime, readWhole, STRANGERS_LIMIT_BYTES } from './whole-body.ts';
