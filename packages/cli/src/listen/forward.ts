import type { FeedEvent } from './feed.ts';
import { type Signed, signed } from './signed.ts';

/** The timeout of a forwarded event, equal to the platform's timeout of a webhook delivery. */
const TIMEOUT_MS = 10_000;

export interface Forwarded {
  /** The HTTP status, or null if the server did not answer. `failure` then contains the reason. */
  status: number | null;
  failure: string | null;
  ms: number;
}

/**
 * Sends an event once, without retries. Does not follow redirects, because the platform's webhooks do not
 * follow them.
 */
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
 * Returns the status of the final response, by which the platform also judges a delivery. Uses Node's own
 * client, because `fetch` fails on interim responses (1xx).
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

/** Returns the error's code, such as ECONNREFUSED, for the output. */
function reasonOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  const code = isCoded ? String(error.code) : String(error);
  return code === 'ABORT_ERR' ? `> ${TIMEOUT_MS / 1000} s` : code;
}
