interface Definition {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /**
   * The names of the labels. A label's values must come from a short, fixed list: never an id, a path, an
   * address or a merchant's text.
   */
  labels: readonly string[];
  /** The upper bounds of the buckets, for a histogram only. */
  buckets?: readonly number[];
}

/** Upper bounds of the buckets for response times, in seconds. */
export const REQUEST_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

export interface Metric extends Definition {
  name: string;
}

type OurName = `plataforma_${string}`;
type Definitions = Readonly<Record<OurName, Definition>>;
type Labels = Readonly<Record<string, string>>;

type NameIn<D extends Definitions> = keyof D & OurName;
type Named<D extends Definitions, Kind extends Definition['kind']> = {
  [Name in NameIn<D>]: D[Name]['kind'] extends Kind ? Name : never;
}[NameIn<D>];
type LabelsOf<D extends Definitions, Name extends NameIn<D>> = Readonly<
  Record<D[Name]['labels'][number], string>
>;

export interface Metrics<D extends Definitions> {
  readonly definitions: D;
  /**
   * Returns a function that records a value: seconds or a size for a histogram, a count for a counter. A call
   * takes about a microsecond, so create `labels` once for thousands of calls a second.
   *
   * The function drops values until the process serves metrics, except counts whose labels are in `series`.
   * The process exports each of `series` from the start with the value 0. Otherwise a monitor would miss the
   * first increase.
   */
  recorder<Name extends Named<D, 'counter' | 'histogram'>>(
    name: Name,
    series?: readonly LabelsOf<D, Name>[],
  ): (labels: LabelsOf<D, Name>, value: number) => void;
  /**
   * Returns one value of a gauge. For a queue or a table, all replicas report the same value, so monitors use
   * the `max` of the replicas. For the process itself, each replica reports its own value.
   */
  gauge<Name extends Named<D, 'gauge'>>(name: Name, labels: LabelsOf<D, Name>, value: number): GaugeSample;
}

export interface GaugeSample {
  metric: Metric;
  labels: Labels;
  value: number;
}

/**
 * A function that reads gauges for a response with metrics. If the function throws, the response omits these
 * gauges.
 */
export type ReadGauges = () => Promise<readonly GaugeSample[]> | readonly GaugeSample[];

type Sink = (labels: Labels, value: number) => void;

/**
 * The sinks of all metrics of the process. They are global, so that code can record a value without a
 * registry in its dependencies.
 */
const sinks = new Map<string, Sink>();
const declared = new Map<string, Metric>();

/**
 * The sums that counters recorded before the process served metrics. Only counters with a fixed list of
 * `series` have such sums.
 */
const early = new Map<string, { labels: Labels; value: number }[]>();

/** Defines metrics. The use of a metric name that is not in the definitions does not compile. */
export function defineMetrics<const D extends Definitions>(definitions: D): Metrics<D> {
  const all = Object.entries<Definition>(definitions).map(([name, definition]) => ({ name, ...definition }));
  const byName = new Map<string, Metric>(all.map((metric) => [metric.name, metric]));
  const metricOf = (name: NameIn<D>): Metric => {
    const metric = byName.get(name);
    if (!metric) throw new Error(`${name} is not defined`);
    return metric;
  };
  return {
    definitions,
    recorder: (name, series = []) => recorderOf(metricOf(name), series),
    gauge: (name, labels, value) => ({ metric: metricOf(name), labels, value }),
  };
}

function recorderOf(metric: Metric, series: readonly Labels[]): Sink {
  const { name } = metric;
  declared.set(name, metric);
  const counted = series.map((labels) => ({ labels, value: 0 }));
  if (series.length > 0) early.set(name, [...(early.get(name) ?? []), ...counted]);
  return (labels, value) => {
    const sink = sinks.get(name);
    if (sink) return sink(labels, value);
    const one = counted.find((each) => isSame(each.labels, labels));
    if (one) one.value += value;
  };
}

function isSame(one: Labels, other: Labels): boolean {
  return Object.entries(one).every(([name, value]) => other[name] === value);
}

/**
 * Sends recorded values to sinks from now on. Calls `open` for each metric that has a recorder, to create the
 * sink of this metric.
 */
export function openSinks(open: (metric: Metric) => Sink): void {
  for (const [name, metric] of declared) {
    if (sinks.has(name)) continue;
    const sink = open(metric);
    sinks.set(name, sink);
    for (const { labels, value } of early.get(name) ?? []) sink(labels, value);
  }
}
