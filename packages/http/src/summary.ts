/**
 * Returns a function that counts events. Calls `write` at the first event, and then at most once in
 * `quietMs`, with the number of events since the previous call.
 */
export function summarizer(quietMs: number, write: (count: number) => void): () => void {
  let count = 0;
  let quiet: NodeJS.Timeout | undefined;
  const writeOut = () => {
    quiet = undefined;
    if (count === 0) return;
    write(count);
    count = 0;
    quiet = setTimeout(writeOut, quietMs).unref();
  };
  return () => {
    count += 1;
    if (!quiet) writeOut();
  };
}
