import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { definedIn } from '@plataforma/testing/definitions';
import { z } from 'zod';
import { readers } from '../faults/readers.ts';

/** What is to happen to a process at one of its fail points, whichever it comes to first. */
export interface Order {
  points: readonly string[];
  /** SIGKILL or SIGSTOP. */
  action: 'kill' | 'stop';
}

const mark = z.object({
  /** Milliseconds of the epoch, by the true clock. */
  at: z.number(),
  kind: z.enum(['reached', 'sometimes', 'killed', 'stopped']),
  name: z.string(),
});

/** A line of the log beside the file: the first time that a process passes a point, each strike, each rare situation. */
export type Mark = z.infer<typeof mark>;

/** Orders it of the process whose `FAIL_POINTS_FILE` this is, once. A process that is struck removes the file. */
export async function arm(file: string, order: Order): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(order));
  await rename(`${file}.new`, file);
}

export async function disarm(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** What all processes with this file have told, in order. */
export async function readMarks(file: string): Promise<Mark[]> {
  const text = await readFile(`${file}.log`, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => mark.parse(JSON.parse(line)));
}

const pointsTable = z.object({ points: z.record(z.string(), z.string()) });
const situationsTable = z.object({ situations: z.array(z.string()) });

/** What each package and each service has placed in its own code, by its `fail-points.ts`. */
const placed = definedIn('fail-points.ts').map(({ owner, isService, exported }) => ({
  ...{ owner, isService },
  points: Object.keys(exported.failPoint ? tableOf(exported.failPoint, pointsTable).points : {}),
  situations: exported.sometimes ? tableOf(exported.sometimes, situationsTable).situations : [],
}));

/** A function that carries its names. */
function tableOf<T>(value: unknown, table: z.ZodType<T>): T {
  return table.parse(typeof value === 'function' ? { ...value } : value);
}

const allPoints: ReadonlySet<string> = new Set(placed.flatMap(({ points }) => points));

/** Rare situations that nothing outside can see, so that a test can tell whether they have really come about. */
export const situations: readonly string[] = placed.flatMap((one) => one.situations);

/** Passed by a service only that publishes, and by one only that subscribes. */
const PUBLISHING = requirePoints('outbox.published');
const SUBSCRIBING = requirePoints('inbox.committed', 'event.given_up', 'letter.kept');
const publishers = ['gateway', 'charges', 'withdrawals'];

/** Those that a process of a service may pass: its own, and those of the packages. None of what stands for the bank. */
export function pointsOf(service: string): string[] {
  const own = placed.find(({ owner, isService }) => isService && owner === service);
  if (!own) return [];
  const common = placed.filter(({ isService }) => !isService).flatMap(({ points }) => points);
  const strange = [
    ...(publishers.includes(service) ? [] : PUBLISHING),
    ...(readers.some((name) => name === service) ? [] : SUBSCRIBING),
  ];
  return [...common, ...own.points].filter((name) => !strange.includes(name));
}

/** Of a point, and the service that comes to it: each meets those of the packages, too. */
export const nameOfPoint = (service: string, point: string) => `${service} at ${point}`;

export function isPoint(name: string): boolean {
  return allPoints.has(name);
}

/** Throws for a name that no code passes: a list of ours must not outlive a point. */
export function requirePoints(...names: readonly string[]): readonly string[] {
  const strange = names.filter((name) => !isPoint(name));
  if (strange.length > 0) throw new Error(`no code passes ${strange.join(', ')}`);
  return names;
}
