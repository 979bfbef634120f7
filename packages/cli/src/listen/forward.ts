import type { FeedEvent } from './feed.ts';
import { type Signed, signed } from './signed.ts';

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
    const status = await statusOf(url, await signed(event, secret));
    return { status, failure: null, ms: since() };
  } catch (error) {
    return { status: null, failure: reasonOf(error), ms: since() };
  }
}

/**
 * Answers the final status, which decides for the platform as well: the body may stall or break off. Node's own client
 * skips interim answers (1xx), at which `fetch` fails.
 */
async function statusOf(url: string, { headers, body }: Signed): Promise<number | null> {
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    request(url, { method: 'POST', headers, signal, agent: false }, (response) => {
      resolve(response.statusCode ?? null);
      response.destroy();
    })
      .on('error', reject)
      .end(body);
  });
}

/** A code such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  const code = isCoded ? String(error.code) : String(error);
  return code === 'ABORT_ERR' ? `> ${TIMEOUT_MS / 1000} s` : code;
}
