import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerVersions, serverVersions } from '@plataforma/testing';
import { links, RACE } from './actors/acts/links.ts';
import { type Company, raiseCurtain } from './actors/company.ts';
import { openShops, type Shops } from './actors/shops.ts';
import type { Finding } from './check/finding.ts';
import { type Dice, diceOf } from './dice.ts';
import { allFaults } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';
import { keepGoing, reviveEnded } from './faults/replicas.ts';
import { openHistory } from './history.ts';
import { inTurn } from './in-turn.ts';
import { openCast } from './insiders/cast.ts';
import type { Mutation } from './mutation.ts';
import { openProbe, type Probe } from './probe.ts';
import { type Strike, strikeInTurn } from './schedule.ts';
import { type ChaosSetup, judge, type Verdict } from './verdict.ts';
import { type OpenWorld, openWorld } from './world/open-world.ts';
import type { OldRelease } from './world/processes.ts';
import type { World } from './world/world.ts';

export interface RunReport extends Verdict {
  seed: number;
  seconds: number;
  /** How often each act was completed, by its name. */
  played: ReadonlyMap<string, number>;
  /** How often each act ended early, by its name. */
  aborted: ReadonlyMap<string, number>;
  strikes: readonly Strike[];
  /** The processes that ended unexpectedly or, when they were stopped, with an error. */
  deaths: readonly string[];
  servers: ServerVersions;
  /** The folder with logs and databases. It is deleted if the run ends as expected. */
  dataDir: string;
}

export interface RunOptions {
  seed: number;
  seconds: number;
  /**
   * If set, the run plays only races at payment links, and ends after this number of complete races. Races
   * that end early do not count, but the run ends at the latest after twice this number of races.
   */
  races?: number | undefined;
  mutation?: Mutation | undefined;
  say(line: string): void;
}

export interface Play extends RunOptions {
  /** The release from which the platform starts. The default is the release in this repository. */
  from?: OldRelease | undefined;
  /** Changes the platform while clients use it. */
  act(context: RunContext): Promise<Strike[]>;
  atRest?(world: World): Promise<Finding[]>;
}

export interface RunContext extends ChaosSetup {
  world: OpenWorld;
  probe: Probe;
  company: Pick<Company, 'counts' | 'aborted'>;
  dice: Dice;
}

/** The duration of the long outage of the broker, at most a third of the run. */
const A_MINUTE_MS = 60_000;
/** The number of first faults that the seed selects, so that consecutive seeds cover all faults. */
const FIRST_FAULTS = 3;
/**
 * The time limit for work in progress in a run with a mutation. The mutation removes a guard, and without
 * this guard the work may never end.
 */
const SOON_MS = 90_000;

type Outcome = Pick<RunReport, 'findings' | 'open' | 'strikes' | 'deaths'>;

export const isRed = ({ findings, open, strikes, deaths }: Outcome) =>
  findings.length + open.length + deaths.length > 0 || strikes.some(({ recoveryMs }) => recoveryMs === null);

/** Starts a new platform, causes faults while clients use it, and then checks all data. */
export async function runOnce(options: RunOptions): Promise<RunReport> {
  return playOut({ ...options, act: (context) => breakThings(context, options) });
}

/** Starts a new platform, calls `act` while clients use it, and then checks all data. */
export async function playOut(play: Play): Promise<RunReport> {
  const { seed, mutation, from, say, atRest = async () => [] } = play;
  const dice = diceOf(seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-chaos-'));
  const history = openHistory();
  let shops: Shops | undefined;
  let world: OpenWorld | undefined;
  try {
    shops = await openShops(dice.named('shops'));
    world = await openWorld({ dataDir, dice, mutation, from });
    const servers = await serverVersions(world.postgres.url, world.brokerUrl);
    const { strikes, seconds, played, aborted } = await perform(play, { world, shops, history, dice });
    const olderUntil = from && Date.now();
    await reviveEnded(world.replicas);
    say('all faults are repaired; waiting until no work is in progress');
    const judged = { world, shops, history, strikes: strikes.length, olderUntil };
    const verdict = await judge(judged, mutation && SOON_MS);
    await reviveEnded(world.replicas);
    const findings = [...verdict.findings, ...(await atRest(world))];
    const deaths = [...deathsOf(world, strikes), ...(await disorderAtTheEnd(world))];
    const happened = { seconds, played, aborted, strikes, deaths };
    const report = { seed, ...happened, ...verdict, findings, servers, dataDir };
    const isAsExpected = isRed(report) === (mutation !== undefined);
    if (isAsExpected) await rm(dataDir, { recursive: true, force: true });
    return report;
  } finally {
    await world?.stop();
    await shops?.stop();
  }
}

async function perform(play: Play, setup: Omit<RunContext, 'probe' | 'company'>) {
  const { races, act } = play;
  const { world, shops, history, dice } = setup;
  const { bank, platform } = world;
  const { facts } = platform;
  const shared = { baseUrl: facts.baseUrl, operator: facts.operator, bank, shops, history };
  const acts = races === undefined ? undefined : links;
  const company = await raiseCurtain({ ...shared, dice: dice.named('company'), acts });
  const probe = await openProbe({ facts, bank, shops, history, dice: dice.named('probe') });
  const { admin } = company;
  // An older release has no proposals, and does not report when an operator was created.
  if (!play.from)
    world.insiders.cast = await openCast({ world, admin, history, dice: dice.named('insiders') });
  company.start();
  const startedAt = performance.now();
  try {
    const strikes = await act({ ...setup, probe, company });
    const seconds = races === undefined ? play.seconds : (performance.now() - startedAt) / 1_000;
    return { strikes, seconds, played: company.counts, aborted: company.aborted };
  } finally {
    await company.stop();
    await world.insiders.cast?.close();
  }
}

async function breakThings(
  { world, probe, company, dice }: RunContext,
  { seed, seconds, races, mutation, say }: RunOptions,
): Promise<Strike[]> {
  const faults = faultsFor({ seed, seconds, mutation });
  const examine = {
    async run() {
      const going = keepGoing(world.replicas);
      try {
        return await probe.run();
      } finally {
        going.stop();
        await reviveEnded(world.replicas);
      }
    },
  };
  const until = performance.now() + seconds * 1_000;
  const isOver = () => (races === undefined ? performance.now() >= until : areRun(races, company));
  const schedule = {
    ...{ world, faults, say },
    first: inTurn(faults, { seed, count: FIRST_FAULTS }),
    probe: examine,
    isOver,
  };
  return strikeInTurn({ ...schedule, dice: dice.named('faults') });
}

/**
 * Returns whether enough races are complete, or twice as many have ended. The second limit ends a run on a
 * broken platform.
 */
function areRun(races: number, { counts, aborted }: RunContext['company']): boolean {
  const [whole, broken] = [counts, aborted].map((of) => of.get(RACE) ?? 0) as [number, number];
  return whole >= races || whole + broken >= 2 * races;
}

function deathsOf({ replicas }: World, strikes: readonly Strike[]): string[] {
  return [...replicas.flatMap(({ deaths }) => deaths), ...strikes.flatMap(({ disorder }) => disorder ?? [])];
}

/** Stops the processes after the checks. Returns descriptions of processes that did not end properly. */
async function disorderAtTheEnd(world: OpenWorld): Promise<string[]> {
  try {
    await world.stop();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Returns the faults that a mutation needs, or all faults in a run without a mutation. */
function faultsFor({ seed, seconds, mutation }: Omit<RunOptions, 'say'>): Fault[] {
  const { faults: names = [], points } = mutation?.needs ?? {};
  const all = allFaults({ seed, brokerAwayMs: Math.min(A_MINUTE_MS, (seconds * 1_000) / 3), points });
  const needed = all.filter(({ name, group }) => names.includes(name) || names.includes(group));
  return needed.length > 0 ? needed : all;
}
