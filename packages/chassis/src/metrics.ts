import type { GaugeName, LabelsOf, RecordedName } from './metric-catalogue.ts';

type Sink = (labels: Readonly<Record<string, string>>, value: number) => void;

/** Of the process, which runs one service: whoever records need not be handed a place to record in. */
const sinks = new Map<RecordedName, Sink>();
const wanted = new Set<RecordedName>();

/**
 * Records a value: seconds or a size for a histogram, how many for a counter. As long as nobody serves the metrics it is
 * dropped, at hardly any cost. It costs about a microsecond otherwise: `labels` are best made once where there are
 * thousands a second.
 */
export function recorder<Name extends RecordedName>(
  name: Name,
): (labels: LabelsOf<Name>, value: number) => void {
  wanted.add(name);
  return (labels, value) => sinks.get(name)?.(labels, value);
}

/** From now on what is recorded goes there; `open` makes a place for each metric that this process records. */
export function openSinks(open: (name: RecordedName) => Sink): void {
  for (const name of wanted) if (!sinks.has(name)) sinks.set(name, open(name));
}

/** One value of a gauge. */
export type GaugeSample = {
  [Name in GaugeName]: readonly [Name, LabelsOf<Name>, number];
}[GaugeName];

/** Looks at something when the metrics are asked for. What it throws leaves its gauges out. */
export type ReadGauges = () => Promise<readonly GaugeSample[]> | readonly GaugeSample[];
