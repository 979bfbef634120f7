import { metricsThereAre } from './metrics-there-are.ts';

/** Labels that Prometheus adds to each sample, and the label of histogram buckets. */
const OF_PROMETHEUS = ['job', 'instance', 'service', 'le'];

const metrics = metricsThereAre();
metrics.set('up', { labels: [], isHistogram: false });

/** Returns the faults of an expression: metrics and labels that no process of the platform has. */
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

/** Finds a metric by name. An expression must name a histogram by one of its series, such as `_bucket`. */
function metricOf(name: string) {
  const [, whole = name] = /^(.+)_(?:bucket|count|sum)$/.exec(name) ?? [];
  const metric = metrics.get(whole);
  return metric?.isHistogram === (whole !== name) ? metric : undefined;
}
