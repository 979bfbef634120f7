interface BackoffOptions {
  firstMs: number;
  longestMs: number;
}

/** Answers each next delay: they double up to the longest, and half of each is left to chance, so that replicas spread. */
export function backoff({ firstMs, longestMs }: BackoffOptions): () => number {
  let nextMs = firstMs;
  return () => {
    const delayMs = nextMs * (0.5 + Math.random() / 2);
    nextMs = Math.min(nextMs * 2, longestMs);
    return delayMs;
  };
}
