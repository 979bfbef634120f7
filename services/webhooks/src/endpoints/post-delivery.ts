import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type Log, type Outbound, OutboundError, type SecretBox } from '@plataforma/chassis';
import { LRUCache } from 'lru-cache';
import type { Attempt, Delivery } from '../domain/delivery.ts';

/** Makes one attempt. Null when it came to nothing by no fault of the endpoint: then it doesn't count. */
export type PostDelivery = (delivery: Delivery) => Promise<Attempt | null>;

interface Parts {
  outbound: Outbound;
  secretBox: SecretBox;
  log: Log;
  timeoutMs: number;
}

const CACHED_SECRETS = 1_000;
const SECRET_TTL_MS = 60_000;

/** The door to the merchants' URLs: signs what is sent, and says what came of it. Never throws. */
export function createPostDelivery({ outbound, secretBox, log, timeoutMs }: Parts): PostDelivery {
  const secrets = new LRUCache<string, KeyObject>({ max: CACHED_SECRETS, ttl: SECRET_TTL_MS });

  function secretOf({ configurationId, secret }: Delivery): KeyObject {
    const name = `${configurationId}:${secret.version}`;
    const known = secrets.get(name);
    if (known) return known;
    const opened = createSecretKey(Buffer.from(secretBox.open(secret, configurationId)));
    secrets.set(name, opened);
    return opened;
  }

  return async (delivery) => {
    const at = new Date();
    const startedAt = performance.now();
    const attempt = { at, durationMs: 0, statusCode: null, failure: null };
    try {
      const body = Buffer.from(delivery.body);
      const headers = headersOf(delivery.id, signatureOf(body, secretOf(delivery)));
      const answer = await outbound.request({ method: 'POST', url: delivery.url, headers, body, timeoutMs });
      return { ...attempt, durationMs: msSince(startedAt), statusCode: answer.status };
    } catch (error) {
      if (error instanceof OutboundError && error.failure !== 'cancelled') {
        return { ...attempt, durationMs: msSince(startedAt), failure: error.failure };
      }
      log.error({ err: error, deliveryId: delivery.id }, 'a delivery was not attempted; it will be');
      return null;
    }
  };
}

/** Contract section 6, rule 3. */
function headersOf(deliveryId: string, signature: string): Record<string, string> {
  return {
    'X-Webhook-Signature': signature,
    'X-Webhook-Id': deliveryId,
    'Content-Type': 'application/json',
    'User-Agent': 'Plataforma-Webhook/1.0',
  };
}

/** Contract section 6, rule 4: over the very bytes that are sent. */
function signatureOf(body: Buffer, secret: KeyObject): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function msSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
