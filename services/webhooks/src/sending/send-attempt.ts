import type { SecretBox } from '@plataforma/data';
import { type Outbound, OutboundError, type OutboundRules, reasonAgainst } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { continueTrace, type Log, runInContext } from '@plataforma/observe';
import { LRUCache } from 'lru-cache';
import { type Attempt, type Delivery, outcomeOf, type SecretOfVersion } from '../domain/delivery.ts';
import { failPoint } from '../fail-points.ts';
import { answerText } from './answer-text.ts';
import { forgedKeys, headersOf, type KeyRing, type SigningKeys, signingKeysOf } from './signatures.ts';

/**
 * Sends one attempt. With `isForged` a random secret signs the request. Returns null if the endpoint did not
 * cause the failure; the attempt then does not count.
 */
export type SendAttempt = (delivery: Delivery, how?: { isForged: boolean }) => Promise<Attempt | null>;

interface Dependencies {
  outbound: Outbound;
  secretBox: SecretBox;
  log: Log;
  timeoutMs: number;
}

const CACHED_SECRETS = 1_000;
const SECRET_TTL_MS = 60_000;

/** Creates the function that signs requests and sends them to merchants' URLs. The function never throws. */
export function createSendAttempt({ outbound, secretBox, log, timeoutMs }: Dependencies): SendAttempt {
  const secrets = new LRUCache<string, SigningKeys>({ max: CACHED_SECRETS, ttl: SECRET_TTL_MS });

  function keysOf(configurationId: string, secret: SecretOfVersion): SigningKeys {
    const name = `${configurationId}:${secret.version}`;
    const cached = secrets.get(name);
    if (cached) return cached;
    const opened = signingKeysOf(secretBox.open(secret, configurationId));
    secrets.set(name, opened);
    return opened;
  }

  function keyRingOf({ configurationId, secret, oldSecrets }: Delivery): KeyRing {
    const [oldest, ...later] = [...oldSecrets, secret].map((one) => keysOf(configurationId, one));
    return oldest ? [oldest, ...later] : [keysOf(configurationId, secret)];
  }

  async function attemptOf(delivery: Delivery, isForged: boolean): Promise<Attempt | null> {
    const at = new Date();
    const startedAt = performance.now();
    const attempt = { at, durationMs: 0, statusCode: null, failure: null, responseBody: null };
    try {
      const body = Buffer.from(delivery.body);
      const keys: KeyRing = isForged ? [forgedKeys()] : keyRingOf(delivery);
      const headers = headersOf({ ...delivery, body, at }, keys);
      const post = { method: 'POST', url: delivery.url, headers, body, timeoutMs } as const;
      const answer = await outbound.request({ ...post, isStatusEnough: true });
      const responseBody = answerText(answer.body, answer.isCut);
      return { ...attempt, durationMs: msSince(startedAt), statusCode: answer.status, responseBody };
    } catch (error) {
      const failure = error instanceof OutboundError ? error.failure : undefined;
      // The platform itself causes the failures `cancelled` and `local_failure`, not the endpoint.
      if (failure && failure !== 'cancelled' && failure !== 'local_failure') {
        return { ...attempt, durationMs: msSince(startedAt), failure };
      }
      log.error({ err: error, deliveryId: delivery.id }, 'attempt not counted; a retry follows');
      return null;
    }
  }

  return (delivery, { isForged } = { isForged: false }) =>
    runInContext({ traceparent: delivery.traceparent ?? continueTrace(undefined) }, async () => {
      failPoint('delivery.leased');
      const attempt = await attemptOf(delivery, isForged);
      failPoint('delivery.answered');
      if (attempt) {
        const { statusCode, failure, durationMs } = attempt;
        // A success is logged at level debug, because thousands of attempts succeed each second and the
        // database records each attempt.
        const level = outcomeOf(attempt) === 'delivered' ? 'debug' : 'info';
        log[level]({ deliveryId: delivery.id, statusCode, failure, ms: durationMs }, 'delivery attempted');
      }
      return attempt;
    });
}

function msSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

/** Throws a refusal with the reason if the platform must not call the URL. */
export function requireCallable(url: string, rules: OutboundRules): void {
  const reason = reasonAgainst(URL.parse(url), rules);
  if (reason) throw new Refusal('invalid', 'VALIDATION_ERROR', `url: ${reason}`);
}
