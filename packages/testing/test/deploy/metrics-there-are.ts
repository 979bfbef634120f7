import { createRequire } from 'node:module';
import { metricCatalogue } from '@plataforma/observe';

const { Registry, collectDefaultMetrics } = createRequire(
  new URL('../../../service/package.json', import.meta.url),
)('prom-client');

interface Known {
  labels: readonly string[];
  isHistogram: boolean;
}

/** Every metric a process of ours shows: those of the catalogue, and what prom-client tells of Node.js. */
export function metricsThereAre(): Map<string, Known> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const defaults: { name: string; type: string }[] = registry.getMetricsAsArray();
  registry.clear();
  const known = new Map<string, Known>(
    defaults.map(({ name, type }) => [
      name,
      { labels: ['kind', 'space', 'type'], isHistogram: type === 'histogram' },
    ]),
  );
  for (const [name, { labels, kind }] of Object.entries(metricCatalogue))
    known.set(name, { labels, isHistogram: kind === 'histogram' });
  return known;
}
