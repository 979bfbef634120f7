import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { definedIn } from '@plataforma/testing/definitions';
import { z } from 'zod';
import { readers } from '../faults/readers.ts';

/**
 * An order to a process. The process is killed or stopped at the first of these fail points that it reaches.
 */
export interface Order {
  points: readonly string[];
  action: 'kill' | 'stop';
}

const mark = z.object({
  /** The right time in milliseconds since 1970, even if the clock of the process is wrong. */
  at: z.number(),
  kind: z.enum(['reached', 'sometimes', 'killed', 'stopped']),
  name: z.string(),
});

/**
 * A line of the log of a process. The process reached a fail point for the first time, was killed or stopped
 * there, or met a rare situation.
 */
export type Mark = z.infer<typeof mark>;

/**
 * Gives an order to the process whose `FAIL_POINTS_FILE` is this file. The process removes the file when it
 * carries out the order.
 */
export async function arm(file: string, order: Order): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(order));
  await rename(`${file}.new`, file);
}

export async function disarm(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Reads the marks that processes have written to the log `<file>.log`. */
export async function readMarks(file: string): Promise<Mark[]> {
  const text = await readFile(`${file}.log`, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => mark.parse(JSON.parse(line)));
}

const pointsTable = z.object({ points: z.record(z.string(), z.string()) });
const situationsTable = z.object({ situations: z.array(z.string()) });

/**
 * The fail points and the situations that the packages and services define in their files `fail-points.ts`.
 */
const placed = definedIn('fail-points.ts').map(({ owner, isService, exported }) => ({
  ...{ owner, isService },
  points: Object.keys(exported.failPoint ? tableOf(exported.failPoint, pointsTable).points : {}),
  situations: exported.situation ? tableOf(exported.situation, situationsTable).situations : [],
}));

function tableOf<T>(value: unknown, table: z.ZodType<T>): T {
  return table.parse(typeof value === 'function' ? { ...value } : value);
}

const allPoints: ReadonlySet<string> = new Set(placed.flatMap(({ points }) => points));

/**
 * Rare situations that are invisible from outside a process. They are recorded so that a test can check that
 * they occurred.
 */
export const situations: readonly string[] = placed.flatMap((one) => one.situations);

/** Fail points that only services with an outbox reach. */
const PUBLISHING = requirePoints('outbox.published');
const SUBSCRIBING = requirePoints('inbox.committed', 'event.given_up', 'letter.kept');
const publishers = ['gateway', 'charges', 'withdrawals'];

/**
 * Lists the fail points that a process of the service may reach: those of the service and those of the
 * packages. The sandbox provider has none.
 */
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

/**
 * Returns the name of a fail point together with its service, because several services reach the fail points
 * of packages.
 */
export const nameOfPoint = (service: string, point: string) => `${service} at ${point}`;

export function isPoint(name: string): boolean {
  return allPoints.has(name);
}

/** Throws if a name belongs to no fail point, so that no list contains a removed fail point. */
export function requirePoints(...names: readonly string[]): readonly string[] {
  const strange = names.filter((name) => !isPoint(name));
  if (strange.length > 0) throw new Error(`no code passes ${strange.join(', ')}`);
  return names;
}
