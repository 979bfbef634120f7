import type { IncomingMessage } from 'node:http';
import { Refusal } from '@plataforma/kernel';
import { currentContext } from '@plataforma/observe';
import type { Request } from 'express';
import { BROKEN_OFF } from './http-errors.ts';
import { createLines } from './lines.ts';

/**
 * The maximum number of values in a body. The largest valid request of the API has fewer than a hundred
 * values.
 */
const MOST_VALUES = 1_000;
/**
 * A body of at most this many bytes is checked at once if it has at most `MANY_VALUES` values. All other
 * bodies wait for their turn.
 */
const LONG_BYTES = 8 * 1024;
const MANY_VALUES = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The number of values in the body of each request. */
const valuesOf = new WeakMap<IncomingMessage, number>();

const [COMMA, LIST, OBJECT] = [0x2c, 0x5b, 0x7b];

/**
 * Refuses JSON of more than 1,000 values before it is parsed, because the checks take time for each value.
 * Every list, object and comma counts as a value.
 */
export function refuseManyValues(json: Buffer, req: IncomingMessage): void {
  let values = 1;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at += 1;
    else if (!isText && (byte === COMMA || byte === LIST || byte === OBJECT)) values += 1;
  }
  valuesOf.set(req, values);
  if (values <= MOST_VALUES) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'body: must have at most 1,000 values');
}

const waiting = createLines<() => void>();
let isBusy = false;

/**
 * Starts the checks of one waiting body in each pass of the event loop, so that other requests run between
 * two bodies.
 */
function checkNext(): void {
  const next = waiting.next();
  isBusy = next !== undefined;
  if (!next) return;
  next();
  setImmediate(checkNext);
}

/**
 * Makes a large body wait for its turn, because its checks take up to 15 ms. A body is large if it has more
 * than 8 KiB, more than 100 values, or no known length. Bodies of sandboxes and of production alternate, and
 * so do the accounts of each. Throws `BROKEN_OFF` if the caller disconnects before its turn.
 */
export async function turnOfBody(req: Request): Promise<void> {
  const length = Number(req.headers['content-length'] ?? LONG_BYTES + 1);
  if (length <= LONG_BYTES && (valuesOf.get(req) ?? 0) <= MANY_VALUES) return;
  const { tenant, network = '' } = currentContext() ?? {};
  const caller = { neighbourhood: tenant?.environment ?? '', name: tenant?.merchantId ?? network };
  await new Promise<void>((resolve) => {
    waiting.add(caller, resolve);
    if (!isBusy) setImmediate(checkNext);
    isBusy = true;
  });
  if (req.socket.destroyed) throw BROKEN_OFF;
}
