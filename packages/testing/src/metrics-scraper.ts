import { freePort } from '@plataforma/local';

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scraped {
  text: string;
  samples: Sample[];
  /** The names of the platform's metrics, sorted. Metrics that have no sample yet are included. */
  names: string[];
  /** Returns the sum of the metric's samples that have these labels; undefined if no sample has them. */
  valueOf(name: string, labels?: Record<string, string>): number | undefined;
}

export interface MetricsScraper {
  /** The port that the test sets as METRICS_PORT of the service. */
  port: number;
  scrape(): Promise<Scraped>;
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reserves a port for the metrics of a service under test. `scrape` reads the metrics at this port. */
export async function openMetricsScraper(): Promise<MetricsScraper> {
  const port = await freePort(null);
  return {
    port,
    async scrape() {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`the metrics answered ${response.status}`);
      return scraped(text);
    },
  };
}

function scraped(text: string): Scraped {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const samples = lines.map(sampleIn);
  return {
    text,
    samples,
    names: [...text.matchAll(/^# TYPE (plataforma_\w+)/gm)].map(([, name = '']) => name).sort(),
    valueOf(name, labels = {}) {
      const matches = (sample: Sample) =>
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
      const found = samples.filter((sample) => sample.name === name && matches(sample));
      return found.length > 0 ? found.reduce((sum, { value }) => sum + value, 0) : undefined;
    },
  };
}

function sampleIn(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`this is not a sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, label, text]) => [label, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
