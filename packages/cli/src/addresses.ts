import { isNear } from '@plataforma/sdk/transport';
import { WrongUse } from './wrong-use.ts';

/** Where the API is: keys go there, in clear within this machine and private networks only. */
export function apiAddress(
  text: string,
  words: { badUrl(text: string): string; needsHttps(host: string): string },
) {
  const url = urlOf(/^https?:\/\//.test(text) ? text : `https://${text}`);
  if (!url) throw new WrongUse(words.badUrl(text));
  if (url.protocol === 'http:' && !isNear(url.hostname)) throw new WrongUse(words.needsHttps(url.host));
  return url.href.replace(/\/+$/, '');
}

/** Where events are forwarded: a port alone is one of this machine. */
export function targetAddress(text: string, words: { badUrl(text: string): string }): URL {
  const full = /^\d+(?:\/|$)/.test(text) ? `http://localhost:${text}` : text;
  const url = urlOf(/^https?:\/\//.test(full) ? full : `http://${full}`);
  if (!url) throw new WrongUse(words.badUrl(text));
  return url;
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
