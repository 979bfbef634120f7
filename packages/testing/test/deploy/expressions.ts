import { metricsThereAre } from './metrics-there-are.ts';

/** Labels that Prometheus adds: a process's place and name. */
const OF_PROMETHEUS = ['job', 'instance', 'service', 'le'];

const metrics = metricsThereAre();
metrics.set('up', { labels: [], isHistogram: false });

/** Returns an expression's metrics and labels that no process of ours has. */
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

/** A histogram is asked for by its parts, and by nothing else. */
function metricOf(name: string) {
  const [, whole = name] = /^(.+)_(?:bucket|count|sum)$/.exec(name) ?? [];
  const metric = metrics.get(whole);
  return metric?.isHistogram === (whole !== name) ? metric : undefined;
}
