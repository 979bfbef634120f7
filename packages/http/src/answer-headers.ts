import type { ServerResponse } from 'node:http';

/** No cache keeps an answer, no browser guesses its type or frames it, and no other site reads its address. */
export const ANSWER_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]);

/** Sets these headers, except those that the service has set: a refusal may precede all its routes. */
export function setAnswerHeaders(res: ServerResponse): void {
  for (const [name, value] of ANSWER_HEADERS) if (!res.hasHeader(name)) res.setHeader(name, value);
}
