import type { FeedEvent } from './feed.ts';
import { signed } from './signed.ts';

/** As long as the platform waits for a webhook. */
const TIMEOUT_MS = 10_000;

export interface Forwarded {
  /** Null: no answer came, `failure` says why. */
  status: number | null;
  failure: string | null;
  ms: number;
}

/** Sends an event once: a redirect is not followed, as the platform follows none. */
export async function forward(url: string, event: FeedEvent, secret: string): Promise<Forwarded> {
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  try {
    const request = { method: 'POST', redirect: 'manual', ...(await signed(event, secret)) } as const;
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    // The status decides, for the platform as well: the body may stall or break off.
    await response.body?.cancel();
    return { status: response.status, failure: null, ms: since() };
  } catch (error) {
    return { status: null, failure: reasonOf(error), ms: since() };
  }
}

/** `fetch` hides the reason one level down. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `> ${TIMEOUT_MS / 1000} s`;
  const { cause } = error;
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code);
  return error.message;
}
