import { metricsThereAre } from './metrics-there-are.ts';

/** The labels that Prometheus adds to every sample, and `le`, the label of a histogram's buckets. */
const OF_PROMETHEUS = ['job', 'instance', 'service', 'le'];

const metrics = metricsThereAre();
metrics.set('up', { labels: [], isHistogram: false });

/**
 * Returns the mistakes in a Prometheus expression: metrics and labels that no process of the platform
 * exports.
 */
export function mistakesIn(expression: string): string[] {
  const used = [...expression.matchAll(/\b(up|(?:plataforma|nodejs|process)_\w+)\b(?:\{([^}]*)\})?/g)];
  return used.flatMap(([, name = '', matchers = '']) => {
    const metric = metricOf(name);
    if (!metric) return [`${name} is no metric`];
    const labels = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    return labels
      .filter((label) => !metric.labels.includes(label) && !OF_PROMETHEUS.includes(label))
      .map((label) => `${name} has no label ${label}`);
  });
}

/**
 * Finds a metric by the name in an expression. For a histogram, the name must have a suffix, such as
 * `_bucket`.
 */
function metricOf(name: string) {
  const [, whole = name] = /^(.+)_(?:bucket|count|sum)$/.exec(name) ?? [];
  const metric = metrics.get(whole);
  return metric?.isHistogram === (whole !== name) ? metric : undefined;
}
