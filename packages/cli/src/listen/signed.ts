import type { FeedEvent } from './feed.ts';

export interface Signed {
  headers: Record<string, string>;
  body: string;
}

/**
 * Builds the same HTTP request that the platform sends to a webhook with the signature kind `standard`. The
 * headers are those of the contract and of the Standard Webhooks specification.
 */
export async function signed(
  { id, event, data, createdAt, sequence }: FeedEvent,
  secret: string,
): Promise<Signed> {
  const { createHmac } = await import('node:crypto');
  const body = JSON.stringify({ event, data, timestamp: createdAt, eventId: id, sequence });
  const delivery = await deliveryIdOf(id, secret);
  const at = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${delivery}.${at}.${body}`).digest('base64');
  const headers = {
    'X-Webhook-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'X-Webhook-Id': delivery,
    'X-Webhook-Event-Id': id,
    ...(sequence === null ? {} : { 'X-Webhook-Sequence': String(sequence) }),
    'Content-Type': 'application/json',
    'User-Agent': 'Plataforma-Webhook/1.0',
    'webhook-id': delivery,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${standard}`,
  };
  return { headers, body };
}

/**
 * Derives the delivery id from the event's id and the secret. A receiver can then recognize an event that is
 * repeated after a crash.
 */
async function deliveryIdOf(eventId: string, secret: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  const bytes = createHash('sha256').update(`${eventId} ${secret}`).digest();
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
