import type { IncomingMessage } from 'node:http';

/** The size up to which pieces are joined, because each takes some 700 bytes besides its own. */
const PIECE_BYTES = 4 * 1024;

/**
 * Creates one buffer for all pieces, because a list of one-byte pieces takes hundreds of times their memory.
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
 * Joins the pieces of a body up to 4 KiB before they are read, because the sender chooses their size. Readers
 * and Node itself keep each piece of a waiting body separately.
 */
export function joinPieces(req: IncomingMessage): void {
  const push = req.push.bind(req);
  let joined = createCollector();
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
    if (joined.size === 0 && piece.length >= PIECE_BYTES) return push(piece);
    joined.add(piece);
    return joined.size < PIECE_BYTES || flush();
  };
}
