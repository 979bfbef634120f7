import type { SealedSecret } from './configuration.ts';

/** PENDING until an attempt succeeds or the last one fails; the other two are final. */
type DeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED';

/** A delivery as a sender has claimed it. */
export interface Delivery {
  /** Also the `X-Webhook-Id` on every attempt. */
  id: string;
  /** Fences its sender's result: it no longer fits once somebody else has claimed after the lease ran out. */
  leaseToken: string;
  /** Made so far. */
  attempts: number;
  configurationId: string;
  url: string;
  body: string;
  secret: SealedSecret & { version: number };
}

/** One try: an answer with its status, or the reason why there was none. */
export interface Attempt {
  at: Date;
  durationMs: number;
  statusCode: number | null;
  failure: string | null;
}

/** How long to wait after each failed attempt but the last (contract section 6, rule 6). */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000, 32_000];

/** For connecting, sending and the answer together (contract section 6, rule 5). */
export const ATTEMPT_TIMEOUT_MS = 10_000;

export interface Settlement {
  status: DeliveryStatus;
  /** Only while PENDING. */
  retryInMs: number | null;
}

/** What becomes of a PENDING delivery, `attempts` of which were made before this one. */
export function afterAttempt(
  attempts: number,
  { statusCode }: Attempt,
  retryDelaysMs: readonly number[],
): Settlement {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { status: 'SUCCEEDED', retryInMs: null };
  const retryInMs = retryDelaysMs[attempts];
  return retryInMs === undefined ? { status: 'FAILED', retryInMs: null } : { status: 'PENDING', retryInMs };
}
