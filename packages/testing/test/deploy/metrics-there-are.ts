import { createRequire } from 'node:module';
import { definedIn } from '@plataforma/testing/definitions';
import { z } from 'zod';

const { Registry, collectDefaultMetrics } = createRequire(
  new URL('../../../service/package.json', import.meta.url),
)('prom-client');

interface MetricFacts {
  labels: readonly string[];
  isHistogram: boolean;
}

const metricsFile = z.object({
  metrics: z.object({
    definitions: z.record(z.string(), z.object({ kind: z.string(), labels: z.array(z.string()) })),
  }),
});

/**
 * Returns all metrics that the platform's processes export: those of the packages and services, and the
 * Node.js metrics of prom-client. Throws if a name is defined twice.
 */
export function metricsThereAre(): Map<string, MetricFacts> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const defaults: { name: string; type: string }[] = registry.getMetricsAsArray();
  registry.clear();
  const metrics = new Map<string, MetricFacts>(
    defaults.map(({ name, type }) => [
      name,
      { labels: ['kind', 'space', 'type'], isHistogram: type === 'histogram' },
    ]),
  );
  for (const { owner, exported } of definedIn('metrics.ts')) {
    for (const [name, { labels, kind }] of Object.entries(metricsFile.parse(exported).metrics.definitions)) {
      if (metrics.has(name)) throw new Error(`${owner} defines ${name}, which another one defines`);
      metrics.set(name, { labels, isHistogram: kind === 'histogram' });
    }
  }
  return metrics;
}
