/** The value below which `share` of the samples lie. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function spread(samples: readonly number[]): string {
  return `p50 ${ms(quantile(samples, 0.5))}   p99 ${ms(quantile(samples, 0.99))}   max ${ms(Math.max(...samples))}`;
}

export function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

export interface Load {
  connections: number;
  seconds: number;
  /** One request; throws when its answer is not what it should be. */
  send: () => Promise<void>;
}

export interface Throughput {
  perSecond: number;
  latencies: number[];
}

/** Keeps `connections` requests going for some seconds, after a second of warming up that is not counted. */
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
