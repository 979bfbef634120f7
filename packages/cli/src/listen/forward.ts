import type { FeedEvent } from './feed.ts';
import { type Signed, signed } from './signed.ts';

/** The platform's timeout of a webhook. */
const TIMEOUT_MS = 10_000;

export interface Forwarded {
  /** Null without an answer; `failure` gives the reason. */
  status: number | null;
  failure: string | null;
  ms: number;
}

/** Sends an event once. Follows no redirect, as the platform does. */
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
 * Returns the final status, which alone decides for the platform, too. Uses Node's own client, because
 * `fetch` fails at interim answers (1xx).
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

/** Returns a code such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  const code = isCoded ? String(error.code) : String(error);
  return code === 'ABORT_ERR' ? `> ${TIMEOUT_MS / 1000} s` : code;
}
