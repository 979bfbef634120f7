import { json, type Reply } from './peer.ts';

/** Replies that do not show whether the request was executed, so that the outcome is unknown. */
export const noAnswers: [string, Reply][] = [
  ['does not answer', 'silence'],
  ['resets the connection', 'reset'],
  ['ends in the middle of its answer', { status: 200, cutOff: true }],
  ['answers 429', json(429, { message: 'too many' })],
  ['answers 500', json(500, {})],
  ['answers 503 with a page', { status: 503, text: '<html>' }],
  ['answers endlessly', json(200, { more: 'x'.repeat(2 ** 20) })],
];

/** Answers that can be read but say nothing about the request. */
export const useless: [string, Reply][] = [
  ['a page', { status: 200, text: '<html>OK</html>' }],
  ['nothing at all', { status: 200, text: '' }],
  ['null', json(200, null)],
  ['a list', json(200, [])],
  ['an empty object', json(200, {})],
  ['a redirect', { status: 302, text: '' }],
];
