/**
 * Events have a few thousand bytes. The limit protects the receiver's memory before the signature is
 * verified.
 */
export const MAX_BYTES = 1_048_576;

/** Joins all chunks. Returns null when they exceed the limit. */
export async function wholeOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>,
): Promise<Uint8Array | null> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_BYTES) return null;
    read.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of read) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
