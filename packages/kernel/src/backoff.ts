interface BackoffOptions {
  firstMs: number;
  longestMs: number;
}

/**
 * Returns a function that returns the next delay. Delays double up to `longestMs`, and half of each delay is
 * random, so that replicas do not retry at the same time.
 */
export function backoff({ firstMs, longestMs }: BackoffOptions): () => number {
  let nextMs = firstMs;
  return () => {
    const delayMs = nextMs * (0.5 + Math.random() / 2);
    nextMs = Math.min(nextMs * 2, longestMs);
    return delayMs;
  };
}
