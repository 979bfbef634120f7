import { createReceiver, type WebhookOptions } from './handler.ts';
import type { WebhookHeaders } from './verify.ts';

/** The part of a Fastify instance that the webhook uses. */
export interface FastifyApp {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: never, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

interface FastifyRequest {
  headers: WebhookHeaders;
  body: unknown;
}

interface FastifyReply {
  code(status: number): { type(type: string): { send(body: string): unknown } };
}

/**
 * Registers a webhook in Fastify: `app.register(fastifyWebhook, { prefix: '/webhooks', secret, on })`. The
 * webhook's parser keeps the raw body, and applies only to the webhook's route.
 */
export async function fastifyWebhook(app: FastifyApp, options: WebhookOptions): Promise<void> {
  const receive = createReceiver(options);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/', async (request, reply) => {
    const rawBody = request.body instanceof Uint8Array ? request.body : '';
    const { status, body } = await receive(rawBody, request.headers);
    return reply.code(status).type('application/json').send(body);
  });
}
