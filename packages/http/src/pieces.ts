import type { IncomingMessage } from 'node:http';
import { cutOff } from './cut-off.ts';

/**
 * Small pieces are joined up to this size, because each separate piece takes about 700 bytes of memory in
 * addition to its own bytes.
 */
const PIECE_BYTES = 4 * 1024;

/**
 * Creates a collector that copies all pieces into one buffer. A list of one-byte pieces would take hundreds
 * of times the memory of these bytes.
 */
export function createCollector(): { add(piece: Buffer): void; readonly size: number; whole(): Buffer } {
  let buffer = Buffer.alloc(0);
  let size = 0;
  return {
    add(piece) {
      if (size + piece.length > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, 2 * (size + piece.length)));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      piece.copy(buffer, size);
      size += piece.length;
    },
    get size() {
      return size;
    },
    whole: () => buffer.subarray(0, size),
  };
}

/**
 * A body may have this many pieces, and one more for each `BYTES_OF_A_PIECE`. A piece costs about a
 * microsecond, so a body of one-byte chunks would cost a second per six megabytes sent.
 */
const MOST_PIECES = 1_000;
const BYTES_OF_A_PIECE = 64;
/** No endpoint takes a body of this size, so the server need not read a longer one to its end. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Joins small pieces of a body into pieces of 4 KiB before the body is read. Otherwise a sender could use
 * much memory with many tiny pieces, because Node stores each piece separately. Closes the connection of a
 * body with too many pieces or bytes, also after the request was answered.
 */
export function joinPieces(req: IncomingMessage): void {
  const push = req.push.bind(req);
  let joined = createCollector();
  let [pieces, bytes] = [0, 0];
  const flush = () => {
    const { size } = joined;
    if (size === 0) return true;
    const piece = joined.whole();
    joined = createCollector();
    return push(piece);
  };
  req.push = (piece: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(piece)) {
      flush();
      return push(piece, encoding);
    }
    pieces += 1;
    bytes += piece.length;
    if (pieces > MOST_PIECES + bytes / BYTES_OF_A_PIECE || bytes > MOST_BYTES) {
      cutOff(req.socket);
      return false;
    }
    if (joined.size === 0 && piece.length >= PIECE_BYTES) return push(piece);
    joined.add(piece);
    return joined.size < PIECE_BYTES || flush();
  };
}
