import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execute } from '../faults/database.ts';
import type { Call } from '../history.ts';
import { playOut, type RunContext, type RunReport } from '../run.ts';
import type { World } from '../world/world.ts';
import { checkOut } from './checkout.ts';
import { type DeadLetter, deadLetter, judgeDeadLetters } from './dead-letters.ts';
import { type Replacements, type RollOptions, upgrade } from './steps.ts';

export interface UpgradeOptions extends RollOptions {
  seed: number;
  commit: string;
  say(line: string): void;
}

export interface UpgradeReport extends RunReport, RollOptions {
  commit: string;
  /** The time from the first migration until the last process of the old release ended, in milliseconds. */
  upgradeMs: number;
  during: { calls: number; failed: number };
  /** The number of dead letters, and the number of them that operators replayed. */
  deadLetters: { all: number; replayed: number };
}

/** The time for which a stopping process still accepts requests, as in Kubernetes. */
const DRAIN_MS = 5_000;
/** Clients run for this share of the upgrade's time before the first step, and again after the last step. */
const AROUND = 1 / 4;
/**
 * Makes refunds take longer at the provider than a request waits. Some refunds are then in progress at every
 * replacement of a process.
 */
const SLOW_BANK = { REFUND_SETTLEMENT_MS: '12000' };

/**
 * Starts the release of a commit, and replaces it with this release while clients use the platform. Then
 * checks all data.
 */
export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const { commit, roll, sideBySideMs, stopFirst, say } = options;
  const rollOptions = { roll, sideBySideMs, stopFirst };
  const home = await mkdtemp(join(tmpdir(), 'plataforma-release-'));
  try {
    const checkout = await checkOut(commit, join(home, 'repository'));
    say(`${commit} is checked out`);
    let figures: Pick<UpgradeReport, 'upgradeMs' | 'during'> | undefined;
    let deadLetters = { all: 0, replayed: 0 };
    let replacements: Replacements = new Map();
    const report = await playOut({
      ...options,
      seconds: sideBySideMs / 1_000,
      from: { root: checkout.root, drainMs: DRAIN_MS, bankSettings: SLOW_BANK },
      async act(context) {
        await sleep(sideBySideMs * AROUND);
        const { done, ...measured } = await measure(context, () =>
          upgrade({ ...context, ...rollOptions, say }),
        );
        ({ replacements } = done);
        figures = measured;
        await checkout.remove();
        await sleep(sideBySideMs * AROUND);
        return done.strikes;
      },
      async atRest(world) {
        const letters = await readDeadLetters(world);
        deadLetters = {
          all: letters.length,
          replayed: letters.filter(({ isReplayed }) => isReplayed).length,
        };
        return roll === 'services' ? judgeDeadLetters(letters, replacements) : [];
      },
    });
    if (!figures) throw new Error('nothing was replaced');
    return { ...report, commit, ...rollOptions, ...figures, deadLetters };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measure<T>({ history }: RunContext, take: () => Promise<T>) {
  const startedAt = Date.now();
  const done = await take();
  const endedAt = Date.now();
  const calls = history.calls.filter((call) => call.endedAt >= startedAt && call.startedAt <= endedAt);
  const during = { calls: calls.length, failed: calls.filter(hasFailed).length };
  return { done, upgradeMs: endedAt - startedAt, during };
}

const hasFailed = ({ status }: Call) => status === null || status >= 500;

const LETTERS = `SELECT type, replayed_at IS NOT NULL AS "isReplayed",
  (extract(epoch FROM died_at) * 1000)::float8 AS "diedAt" FROM dead_letters`;

async function readDeadLetters({ platform }: Pick<World, 'platform'>): Promise<DeadLetter[]> {
  const lists = (['charges', 'withdrawals', 'ledger', 'webhooks'] as const).map(async (service) => {
    const rows = await execute(platform.databaseUrls[service], LETTERS);
    return deadLetter.array().parse(rows.map((row) => ({ ...row, service })));
  });
  return (await Promise.all(lists)).flat();
}
