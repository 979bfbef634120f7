import type { Duplex } from 'node:stream';

/** The parser of a connection, which Node does not document. Its callbacks are numbered properties. */
interface Parser {
  onIncoming?: unknown;
  [callback: number]: unknown;
  constructor: { kOnBody?: number };
}

/** The result of a callback that makes the parser stop with an error. */
const STOP = -1;

/**
 * Closes a connection, and stops the parser in the middle of the bytes that it has already read. One read of
 * 64 KiB may hold three thousand requests or ten thousand pieces of a body. `destroy` alone would still
 * create all of them.
 */
export function cutOff(socket: Duplex): void {
  const { parser } = socket as { parser?: Parser | null };
  socket.destroy();
  if (!parser) return;
  parser.onIncoming = () => STOP;
  const onBody = parser.constructor.kOnBody;
  if (onBody === undefined) return;
  const callback = parser[onBody];
  parser[onBody] = undefined;
  // Node uses the parser for another connection later.
  setImmediate(() => {
    parser[onBody] = callback;
  });
}
