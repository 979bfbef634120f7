import type { ServerResponse } from 'node:http';

/** Headers of every answer: no caching, no type sniffing, no framing, and no referrer for other sites. */
export const ANSWER_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]);

/** Sets the headers that the service has not set itself, because a refusal may precede all its routes. */
export function setAnswerHeaders(res: ServerResponse): void {
  for (const [name, value] of ANSWER_HEADERS) if (!res.hasHeader(name)) res.setHeader(name, value);
}
