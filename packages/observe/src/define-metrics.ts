interface Definition {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Their values come from a list of ours that is short: never an id, a path, an address or a merchant's text. */
  labels: readonly string[];
  /** Upper bounds; of a histogram only. */
  buckets?: readonly number[];
}

/** Upper bounds of how long an answer takes. */
export const REQUEST_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** A metric of ours. */
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

/** The metrics of a package or a service, by name. */
export interface Metrics<D extends Definitions> {
  readonly definitions: D;
  /**
   * Records a value: seconds or a size for a histogram, how many for a counter. As long as the metrics are not served it
   * is dropped, at hardly any cost. It costs about a microsecond otherwise: `labels` are best made once where there are
   * thousands a second. The `series` of a counter are there from the beginning, at 0, and lose nothing: of one that
   * appears with its first event a monitor does not see that it has risen.
   */
  recorder<Name extends Named<D, 'counter' | 'histogram'>>(
    name: Name,
    series?: readonly LabelsOf<D, Name>[],
  ): (labels: LabelsOf<D, Name>, value: number) => void;
  /**
   * One value of a gauge, which is read when the metrics are asked for. What it tells of a queue or a table is the same
   * on every replica, to be combined with `max`, and what it tells of this process is not.
   */
  gauge<Name extends Named<D, 'gauge'>>(name: Name, labels: LabelsOf<D, Name>, value: number): GaugeSample;
}

/** One value of a gauge. */
export interface GaugeSample {
  metric: Metric;
  labels: Labels;
  value: number;
}

/** Looks at something when the metrics are asked for. What it throws leaves its gauges out. */
export type ReadGauges = () => Promise<readonly GaugeSample[]> | readonly GaugeSample[];

type Sink = (labels: Labels, value: number) => void;

/** Shared by the process, which runs one service, so that code needs no registry to record in. */
const sinks = new Map<string, Sink>();
const declared = new Map<string, Metric>();

/** Counts of known series from before the metrics are served. */
const early = new Map<string, { labels: Labels; value: number }[]>();

/** Defines what its caller measures; a name that is not among the definitions does not compile. */
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

/** From now on what is recorded goes there; `open` makes a place for each metric that this process records. */
export function openSinks(open: (metric: Metric) => Sink): void {
  for (const [name, metric] of declared) {
    if (sinks.has(name)) continue;
    const sink = open(metric);
    sinks.set(name, sink);
    for (const { labels, value } of early.get(name) ?? []) sink(labels, value);
  }
}
