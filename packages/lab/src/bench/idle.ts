import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPages, type Platform } from '@plataforma/local';
import { atMost, type Figures, percent } from './figures.ts';
import { openPlatform } from './platform.ts';
import { statOf } from './process-use.ts';
import type { Workbench } from './run.ts';

/**
 * The wait after the start. It is longer than the interval of the autovacuum, because PostgreSQL cleans up
 * once after its start.
 */
const QUIET_MS = 75_000;
const WINDOW_MS = 40_000;
const LIMIT = 5;
/** Smaller shares of the processor time would be shown as 0.0 %, so the table leaves them out. */
const SHOWN = 0.05;
/** `/proc` counts processor time in ticks of this length. */
const TICK_MS = 10;

interface Process {
  parent: number;
  ticks: number;
  title: string;
}

type Snapshot = Map<number, Process>;

/** Measures the processor time of a platform without traffic: its services, pages, database and broker. */
export async function idle({ defer }: Workbench<Platform>): Promise<Figures> {
  await buildPages();
  const { platform, stop } = await openPlatform({ web: { port: null } });
  defer(stop);
  await sleep(QUIET_MS);
  const before = await processes();
  const startedAt = performance.now();
  await sleep(WINDOW_MS);
  const after = await processes();
  const tookMs = performance.now() - startedAt;
  const share = (ticks: number) => percent((ticks * TICK_MS * 100) / tookMs);

  const used = usedBetween(platform, before, after);
  const all = share([...used.values()].reduce((sum, ticks) => sum + ticks, 0));
  const shown = [...used].map(([what, ticks]) => ({ what, value: share(ticks) }));
  const byUse = shown.toSorted((a, b) => b.value.amount - a.value.amount);
  return {
    about:
      `Processor time of a platform without traffic over ${WINDOW_MS / 1000} s, ${QUIET_MS / 1000} s ` +
      'after its start, as a share of one core: all processes of services, PostgreSQL and RabbitMQ.',
    rows: [
      { what: 'all processes', value: all, aim: atMost(all, LIMIT) },
      ...byUse.filter(({ value }) => value.amount >= SHOWN),
    ],
  };
}

/**
 * Returns the ticks that processes used between two snapshots, by name. The ticks of a process include those
 * of its ended children.
 */
function usedBetween(platform: Platform, before: Snapshot, after: Snapshot): Map<string, number> {
  const used = new Map<string, number>();
  for (const [root, name] of rootsOf(platform))
    for (const pid of treeOf(root, after)) {
      const { ticks = 0, title = '' } = after.get(pid) ?? {};
      const what = titleOf(title, name);
      used.set(what, (used.get(what) ?? 0) + ticks - (before.get(pid)?.ticks ?? 0));
    }
  return used;
}

function rootsOf({ facts, web }: Platform): [pid: number | null, name: string][] {
  const services = Object.entries(facts.services).flatMap(([name, replicas]) =>
    replicas.map(({ pid }): [number | null, string] => [pid, name]),
  );
  return [
    ...services,
    [web?.program.running.pid ?? null, 'web'],
    [facts.postgres.pid, 'PostgreSQL'],
    [facts.rabbitmq.pid, 'RabbitMQ'],
  ];
}

function treeOf(root: number | null, all: Snapshot): number[] {
  if (root === null) throw new Error('the servers of this benchmark must be processes of this machine');
  const children = [...all].flatMap(([pid, { parent }]) => (parent === root ? [pid] : []));
  return [root, ...children.flatMap((pid) => treeOf(pid, all))];
}

/**
 * Returns a name for a process. PostgreSQL's titles have the form `postgres: role database address(port)
 * state` or `postgres: checkpointer`.
 */
function titleOf(title: string, name: string): string {
  const words = /^postgres: (.+?)\s*$/.exec(title)?.[1];
  if (words === undefined) return name;
  const [, database] = / (\S+) \S+\(\d+\) /.exec(`${words} `) ?? [];
  return `PostgreSQL: ${database ?? words}`;
}

async function processes(): Promise<Snapshot> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await readProcess(pid)] as const)));
}

/**
 * Reads a process from `/proc`. Words 14 to 17 of the `stat` line are the ticks of the process and of its
 * ended children.
 */
async function readProcess(pid: number): Promise<Process> {
  const words = await statOf(pid);
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const ticks = words.slice(11, 15).reduce((sum, word) => sum + Number(word), 0);
  return { parent: Number(words[1]), ticks, title: title.replaceAll('\0', ' ') };
}
