interface BackoffOptions {
  firstMs: number;
  longestMs: number;
}

/**
 * Returns a function that returns the next delay. Delays double up to `longestMs`, and half of each is
 * random, so that replicas spread.
 */
export function backoff({ firstMs, longestMs }: BackoffOptions): () => number {
  let nextMs = firstMs;
  return () => {
    const delayMs = nextMs * (0.5 + Math.random() / 2);
    nextMs = Math.min(nextMs * 2, longestMs);
    return delayMs;
  };
}
