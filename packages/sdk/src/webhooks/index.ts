export type { WebhookData, WebhookEvent, WebhookEventType, WebhookPost } from '@plataforma/contracts';
export { expressWebhook, type NodeRequest, type NodeResponse } from './express.ts';
export { type FastifyApp, fastifyWebhook } from './fastify.ts';
export { webhookHandler } from './fetch.ts';
export {
  createReceiver,
  type Receive,
  type WebhookAnswer,
  type WebhookHandlers,
  type WebhookOptions,
} from './handler.ts';
export {
  type BodyOptions,
  type RawBody,
  type StandardOptions,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookSignatureError,
} from './verify.ts';
