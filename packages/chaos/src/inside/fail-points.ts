import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { subscriptions } from '@plataforma/events';
import { type FailPoint, failPoints } from '@plataforma/observe/fail-points';
import { z } from 'zod';

/** What is to happen to a process at one of its fail points, whichever it comes to first. */
export interface Order {
  points: readonly FailPoint[];
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

/** Passed by those only who publish, and by those only who subscribe. */
const PUBLISHING: readonly string[] = ['outbox.published'];
const SUBSCRIBING: readonly string[] = ['inbox.committed', 'event.given_up', 'letter.kept'];
const publishers = ['gateway', 'charges', 'withdrawals'];

/** Those that a process of a service may pass; none of what stands for the bank. */
export function pointsOf(service: string): FailPoint[] {
  const names: string[] = isInstrumented(service)
    ? [...Object.keys(failPoints.common), ...Object.keys(failPoints[service])]
    : [];
  const strange = [
    ...(publishers.includes(service) ? [] : PUBLISHING),
    ...(Object.hasOwn(subscriptions, service) ? [] : SUBSCRIBING),
  ];
  return names.filter(isPoint).filter((name) => !strange.includes(name));
}

/** Of a point, and the service that comes to it: each meets the common ones, too. */
export const nameOfPoint = (service: string, point: string) => `${service} at ${point}`;

function isInstrumented(service: string): service is Exclude<keyof typeof failPoints, 'common'> {
  return service !== 'common' && Object.hasOwn(failPoints, service);
}

export function isPoint(name: string): name is FailPoint {
  return Object.values(failPoints).some((points) => Object.hasOwn(points, name));
}
