import { isNear } from '@plataforma/sdk/transport';
import { WrongUse } from './wrong-use.ts';

/** Where the API is: keys go there, in clear within this machine and private networks only. */
export function apiAddress(
  text: string,
  words: { badUrl(text: string): string; needsHttps(host: string): string },
) {
  const url = webAddress(/^https?:\/\//.test(text) ? text : `https://${text}`);
  if (!url) throw new WrongUse(words.badUrl(text));
  if (url.protocol === 'http:' && !isNear(url.hostname)) throw new WrongUse(words.needsHttps(url.host));
  return url.href.replace(/\/+$/, '');
}

/** Where events are forwarded: a port alone is one of this machine. */
export function targetAddress(text: string, words: { badUrl(text: string): string }): URL {
  const full = /^\d+(?:\/|$)/.test(text) ? `http://localhost:${text}` : text;
  const url = webAddress(/^https?:\/\//.test(full) ? full : `http://${full}`);
  if (!url) throw new WrongUse(words.badUrl(text));
  return url;
}

const ANSWERED_WITHIN_MS = 5_000;

/** An address of pages is often taken for the API's: then nothing is sent there, and the API's is named where the pages know it. */
export async function requireApi(
  baseUrl: string,
  words: { notApi(url: string, api: string | null): string },
): Promise<void> {
  const answer = await probe(`${baseUrl}/v1/events`);
  if (!answer?.ok || !answer.headers.get('content-type')?.startsWith('text/html')) return;
  // Pages lead to the documents, which are the API's.
  const docs = (await probe(`${baseUrl}/docs`))?.headers.get('location') ?? '';
  const [, api = null] = /^(https?:\/\/.+)\/docs$/.exec(docs) ?? [];
  throw new WrongUse(words.notApi(baseUrl, api));
}

/** Null: no answer came, of which the command itself will speak. */
async function probe(url: string): Promise<Response | null> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  const response = await fetch(url, { redirect: 'manual', signal }).catch(() => null);
  await response?.body?.cancel();
  return response;
}

/** Parses an http or https address; null: a program that opens it would start something else. */
export function webAddress(text: string): URL | null {
  return /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : null;
}
