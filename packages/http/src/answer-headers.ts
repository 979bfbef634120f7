import type { ServerResponse } from 'node:http';

/**
 * The headers of every answer. They forbid caching, guessing of the type, and frames, and hide the address of
 * the page from other sites.
 */
export const ANSWER_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]);

/**
 * Sets each header that the service has not set itself. Refusals need this, because the server may refuse a
 * request before any route runs.
 */
export function setAnswerHeaders(res: ServerResponse): void {
  for (const [name, value] of ANSWER_HEADERS) if (!res.hasHeader(name)) res.setHeader(name, value);
}
