import { isNear } from '@plataforma/sdk/transport';
import { WrongUse } from './wrong-use.ts';

/**
 * Returns the URL of the API. Throws WrongUse for plain HTTP to a public address, because the request carries
 * an API key.
 */
export function apiAddress(
  text: string,
  words: { badUrl(text: string): string; needsHttps(host: string): string },
) {
  const url = webAddress(/^https?:\/\//.test(text) ? text : `https://${text}`);
  if (!url) throw new WrongUse(words.badUrl(text));
  if (url.protocol === 'http:' && !isNear(url.hostname)) throw new WrongUse(words.needsHttps(url.host));
  return url.href.replace(/\/+$/, '');
}

/** Returns the URL that events are forwarded to. A port number without a host means localhost. */
export function targetAddress(text: string, words: { badUrl(text: string): string }): URL {
  const full = /^\d+(?:\/|$)/.test(text) ? `http://localhost:${text}` : text;
  const url = webAddress(/^https?:\/\//.test(full) ? full : `http://${full}`);
  if (!url) throw new WrongUse(words.badUrl(text));
  return url;
}

const ANSWERED_WITHIN_MS = 5_000;

/**
 * Throws WrongUse if the address serves the dashboard's pages instead of the API. The message names the API's
 * address if the dashboard redirects to it.
 */
export async function requireApi(
  baseUrl: string,
  words: { notApi(url: string, api: string | null): string },
): Promise<void> {
  const answer = await probe(`${baseUrl}/v1/events`);
  const isDocument = answer?.headers.get('content-type')?.startsWith('text/html') ?? false;
  // The dashboard has no page at this path: it answers 404, or 200 before release 0.7.0.
  if (!isDocument || (answer?.status !== 200 && answer?.status !== 404)) return;
  // The dashboard redirects `/docs` to the API's documents, so the redirect contains the API's address.
  const docs = (await probe(`${baseUrl}/docs`))?.headers.get('location') ?? '';
  const [, api = null] = /^(https?:\/\/.+)\/docs$/.exec(docs) ?? [];
  throw new WrongUse(words.notApi(baseUrl, api));
}

/** Returns null if the server does not answer. The command's own request then reports that error. */
async function probe(url: string): Promise<Response | null> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  const response = await fetch(url, { redirect: 'manual', signal }).catch(() => null);
  await response?.body?.cancel();
  return response;
}

/**
 * Parses an http or https address. Returns null for any other scheme, because the system could open such an
 * address in a program other than the browser.
 */
export function webAddress(text: string): URL | null {
  return /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
}
