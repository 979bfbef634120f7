import type { Socket } from 'node:net';
import { OutboundError } from './outbound-error.ts';

/**
 * The maximum number of interim answers to one request. Without a limit, a server could send them without
 * end.
 */
const MAX_INTERIM = 10;
const MAX_HEAD_BYTES = 16 * 1024;
/** Matches the start of an interim answer, except 101. 101 ends the exchange, so undici must read it. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;
const STATUS_BYTES = 'HTTP/1.1 100'.length;
const EMPTY = Buffer.alloc(0);

/**
 * Skips interim answers (1xx, RFC 9110, 15.2) in the bytes that undici reads, because undici fails at a 100
 * that it did not request. A connection carries one request at a time, so each request starts a new search.
 */
export function skipInterimAnswers(socket: Socket): void {
  const { read, write } = socket;
  let isBeforeAnswer = false;
  let skipped = 0;
  let pending = EMPTY;

  function nextChunk(size?: number): Buffer | null {
    const chunk: Buffer | null = Reflect.apply(read, socket, [size]);
    if (chunk === null || !isBeforeAnswer) return chunk;
    pending = Buffer.concat([pending, chunk]);
    for (let end = interimEnd(pending); end > 0; end = interimEnd(pending)) {
      pending = pending.subarray(end);
      skipped += 1;
      if (skipped > MAX_INTERIM) {
        socket.destroy(new OutboundError('invalid_answer', 'too many interim responses'));
        return null;
      }
    }
    if (mayBeInterim(pending)) return nextChunk(size);
    const answer = pending;
    pending = EMPTY;
    isBeforeAnswer = false;
    return answer;
  }

  Object.assign(socket, {
    read: nextChunk,
    write(...sent: unknown[]) {
      if (typeof sent[0] === 'string' && sent[0].includes(' HTTP/1.1\r\n')) {
        isBeforeAnswer = true;
        skipped = 0;
      }
      return Reflect.apply(write, socket, sent);
    },
  });
}

/** Returns the length of the complete interim answer at the beginning of the bytes, or 0. */
function interimEnd(bytes: Buffer): number {
  if (!INTERIM.test(bytes.toString('latin1', 0, STATUS_BYTES))) return 0;
  const end = bytes.indexOf('\r\n\r\n');
  return end < 0 ? 0 : end + 4;
}

function mayBeInterim(bytes: Buffer): boolean {
  const status = bytes.toString('latin1', 0, STATUS_BYTES);
  if (status.length < STATUS_BYTES) return INTERIM.test(status + 'HTTP/1.1 100'.slice(status.length));
  return INTERIM.test(status) && bytes.length <= MAX_HEAD_BYTES;
}
