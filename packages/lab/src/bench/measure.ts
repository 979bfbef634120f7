import { setTimeout as sleep } from 'node:timers/promises';

export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function spread(samples: readonly number[]): { p50: number; p99: number } {
  return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99) };
}

export interface Load {
  connections: number;
  seconds: number;
  /** Sends one request. Throws if its answer is wrong. */
  send: () => Promise<void>;
}

export interface Throughput {
  perSecond: number;
  latencies: number[];
}

/** Keeps `connections` requests running for `seconds`. One second of warm-up before that does not count. */
export async function underLoad({ connections, seconds, send }: Load): Promise<Throughput> {
  await during(1, connections, send);
  const latencies = await during(seconds, connections, send);
  return { perSecond: latencies.length / seconds, latencies };
}

async function during(seconds: number, connections: number, send: () => Promise<void>): Promise<number[]> {
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      await send();
      latencies.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return latencies;
}

/**
 * Starts `work` `count` times at a steady rate, however long each call takes. Throws as soon as one of the
 * calls fails.
 */
export async function atPace<T>(
  { perSecond, count }: { perSecond: number; count: number },
  work: (n: number) => Promise<T>,
): Promise<T[]> {
  const startedAt = performance.now();
  const running: Promise<T>[] = [];
  const { promise: failure, reject } = Promise.withResolvers<never>();
  for (let n = 0; n < count; n += 1) {
    const due = startedAt + (n * 1000) / perSecond - performance.now();
    if (due > 0) await Promise.race([sleep(due), failure]);
    const one = work(n);
    one.catch(reject);
    running.push(one);
  }
  return Promise.all(running);
}
