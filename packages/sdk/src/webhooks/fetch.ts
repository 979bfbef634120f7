import { createReceiver, type WebhookOptions } from './handler.ts';
import { MAX_BYTES, wholeOf } from './whole-body.ts';

/**
 * Returns a handler for Next, Hono, Bun, Deno and workers: `export const POST = webhookHandler({ secret, on:
 * { 'charge.paid': … } })`.
 */
export function webhookHandler(options: WebhookOptions): (request: Request) => Promise<Response> {
  const receive = createReceiver(options);
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    const rawBody = await wholeOf(request.body ?? []);
    if (rawBody === null) return new Response(`more than ${MAX_BYTES} bytes`, { status: 413 });
    const { status, body } = await receive(rawBody, request.headers);
    return new Response(body, { status, headers: { 'content-type': 'application/json' } });
  };
}
