import type { GaugeName, LabelsOf, RecordedName } from './metric-catalogue.ts';

type Sink = (labels: Readonly<Record<string, string>>, value: number) => void;

/** Of the process, which runs one service: whoever records need not be handed a place to record in. */
const sinks = new Map<RecordedName, Sink>();
const wanted = new Set<RecordedName>();

/** What was counted before somebody served it, of series that are known beforehand. */
const early = new Map<RecordedName, { labels: Readonly<Record<string, string>>; value: number }[]>();

/**
 * Records a value: seconds or a size for a histogram, how many for a counter. As long as nobody serves the metrics it is
 * dropped, at hardly any cost. It costs about a microsecond otherwise: `labels` are best made once where there are
 * thousands a second. The `series` of a counter are there from the beginning, at 0, and lose nothing: of one that appears
 * with its first event nobody sees that it has risen.
 */
export function recorder<Name extends RecordedName>(
  name: Name,
  series: readonly LabelsOf<Name>[] = [],
): (labels: LabelsOf<Name>, value: number) => void {
  wanted.add(name);
  const counted = series.map((labels) => ({ labels, value: 0 }));
  if (series.length > 0) early.set(name, counted);
  return (labels, value) => {
    const sink = sinks.get(name);
    if (sink) return sink(labels, value);
    const one = counted.find((each) => isSame(each.labels, labels));
    if (one) one.value += value;
  };
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return Object.entries(one).every(([name, value]) => other[name] === value);
}

/** From now on what is recorded goes there; `open` makes a place for each metric that this process records. */
export function openSinks(open: (name: RecordedName) => Sink): void {
  for (const name of wanted) {
    if (sinks.has(name)) continue;
    const sink = open(name);
    sinks.set(name, sink);
    for (const { labels, value } of early.get(name) ?? []) sink(labels, value);
  }
}

/** One value of a gauge. */
export type GaugeSample = {
  [Name in GaugeName]: readonly [Name, LabelsOf<Name>, number];
}[GaugeName];

/** Looks at something when the metrics are asked for. What it throws leaves its gauges out. */
export type ReadGauges = () => Promise<readonly GaugeSample[]> | readonly GaugeSample[];
