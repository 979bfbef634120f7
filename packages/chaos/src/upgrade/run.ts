import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Finding, violation } from '../check/finding.ts';
import { execute } from '../faults/database.ts';
import type { Call } from '../history.ts';
import { playOut, type RunReport, type Stage } from '../run.ts';
import type { World } from '../world/world.ts';
import { checkOut } from './checkout.ts';
import { type Roll, type UpgradeTerms, upgrade } from './steps.ts';

export interface UpgradeOptions extends UpgradeTerms {
  seed: number;
  /** Of the release that is replaced. */
  commit: string;
  /** For how long a process that is told to stop takes requests. */
  drainMs?: number;
  callsPerSecond?: number;
  say(line: string): void;
}

export interface UpgradeReport extends RunReport, UpgradeTerms {
  commit: string;
  /** From the first migration until no process of the old release was left. */
  upgradeMs: number;
  /** Of the calls that clients made in that time. */
  during: { calls: number; failed: number };
  /** Events that a replica could not apply, and how many of them were replayed by operators. */
  deadLetters: { all: number; replayed: number };
}

/** As in Kubernetes. */
const DRAIN_MS = 5_000;
/** Clients are at work for so long before the first step and after the last, of the time side by side. */
const AROUND = 1 / 4;
/** A bank takes longer over refunds than a request waits for them: some are under way whatever is replaced. */
const SLOW_BANK = { REFUND_SETTLEMENT_MS: '12000' };

/** The release of a commit, which this one replaces while a company uses it, and what has become of the money. */
export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const { commit, roll, sideBySideMs, stopFirst, drainMs = DRAIN_MS, say } = options;
  const terms = { roll, sideBySideMs, stopFirst };
  const home = await mkdtemp(join(tmpdir(), 'plataforma-release-'));
  try {
    const checkout = await checkOut(commit, join(home, 'repository'));
    say(`${commit} is checked out`);
    let figures: Pick<UpgradeReport, 'upgradeMs' | 'during'> | undefined;
    let deadLetters = { all: 0, replayed: 0 };
    const report = await playOut({
      ...options,
      seconds: sideBySideMs / 1_000,
      from: { root: checkout.root, drainMs, bankSettings: SLOW_BANK },
      async act(stage) {
        await sleep(sideBySideMs * AROUND);
        const { strikes, ...measured } = await measure(stage, () => upgrade({ ...stage, ...terms, say }));
        figures = measured;
        await checkout.remove();
        await sleep(sideBySideMs * AROUND);
        return strikes;
      },
      async atRest(world) {
        deadLetters = await countDeadLetters(world);
        return setAside(roll, deadLetters.all);
      },
    });
    if (!figures) throw new Error('nothing was replaced');
    return { ...report, commit, ...terms, ...figures, deadLetters };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measure({ history }: Stage, take: () => Promise<RunReport['strikes']>) {
  const startedAt = Date.now();
  const strikes = [...(await take())];
  const endedAt = Date.now();
  const calls = history.calls.filter((call) => call.endedAt >= startedAt && call.startedAt <= endedAt);
  const during = { calls: calls.length, failed: calls.filter(hasFailed).length };
  return { strikes, upgradeMs: endedAt - startedAt, during };
}

const hasFailed = ({ status }: Call) => status === null || status >= 500;

const COUNT = 'SELECT count(*)::int AS "all", count(replayed_at)::int AS replayed FROM dead_letters';

async function countDeadLetters({ platform }: Pick<World, 'platform'>) {
  let [all, replayed] = [0, 0];
  for (const service of ['charges', 'withdrawals', 'ledger', 'webhooks'] as const) {
    const [row] = await execute(platform.databaseUrls[service], COUNT);
    all += Number(row?.all);
    replayed += Number(row?.replayed);
  }
  return { all, replayed };
}

/** One service after the other, each subscriber knows an event before it is first published. */
function setAside(roll: Roll, count: number): Finding[] {
  return roll === 'services' && count > 0
    ? [violation(8, `${count} events were set aside though their subscribers were replaced first`)]
    : [];
}
