import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerVersions, serverVersions } from '@plataforma/testing';
import { type Company, raiseCurtain } from './actors/company.ts';
import { openShops, type Shops } from './actors/shops.ts';
import { type Dice, diceOf } from './dice.ts';
import { allFaults } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';
import { keepGoing, reviveEnded } from './faults/replicas.ts';
import { openHistory } from './history.ts';
import { inTurn } from './in-turn.ts';
import type { Mutation } from './mutations.ts';
import { openProbe, type Probe } from './probe.ts';
import { type Strike, strikeInTurn } from './schedule.ts';
import { judge, type Scene, type Verdict } from './verdict.ts';
import { type OpenWorld, openWorld } from './world/open-world.ts';
import type { World } from './world/world.ts';

export interface RunReport extends Verdict {
  seed: number;
  /** For how long faults struck. */
  seconds: number;
  strikes: readonly Strike[];
  /** Processes that ended, though nobody had ended them, or not in order when told to stop. */
  deaths: readonly string[];
  servers: ServerVersions;
  /** Of logs and databases; gone when the run came out as it should. */
  dataDir: string;
}

export interface RunOptions {
  seed: number;
  /** For how long faults strike. */
  seconds: number;
  mutation?: Mutation | undefined;
  say(line: string): void;
}

/** How long the broker is away when it is away for long; in a short run a third of that run. */
const A_MINUTE_MS = 60_000;
/** How many faults of a run are not up to the dice. */
const FIRST_FAULTS = 3;
/** Without a guard there may be no rest. */
const SOON_MS = 90_000;

type Outcome = Pick<RunReport, 'findings' | 'open' | 'strikes' | 'deaths'>;

export const isRed = ({ findings, open, strikes, deaths }: Outcome) =>
  findings.length + open.length + deaths.length > 0 || strikes.some(({ recoveryMs }) => recoveryMs === null);

/** A new platform, a company that uses it, faults for so long, and then the question what has become of the money. */
export async function runOnce({ seed, seconds, mutation, say }: RunOptions): Promise<RunReport> {
  const dice = diceOf(seed);
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-chaos-'));
  const history = openHistory();
  let shops: Shops | undefined;
  let world: OpenWorld | undefined;
  try {
    shops = await openShops(dice.named('shops'));
    world = await openWorld({ dataDir, dice, mutation });
    const servers = await serverVersions(world.postgres.url, world.brokerUrl);
    const cast = await openCast({ world, shops, history, dice });
    const strikes = await breakThings({ ...cast, world, dice }, { seed, seconds, mutation, say });
    await reviveEnded(world.replicas);
    say('everything is whole; waiting until nothing is under way');
    const verdict = await judge({ world, shops, history, strikes: strikes.length }, mutation && SOON_MS);
    await reviveEnded(world.replicas);
    const deaths = [...deathsOf(world, strikes), ...(await disorderAtTheEnd(world))];
    const report = { seed, seconds, strikes, deaths, ...verdict, servers, dataDir };
    const isAsExpected = isRed(report) === (mutation !== undefined);
    if (isAsExpected) await rm(dataDir, { recursive: true, force: true });
    return report;
  } finally {
    await world?.stop();
    await shops?.stop();
  }
}

async function openCast({ world, shops, history, dice }: Scene & { dice: Dice }) {
  const { platform, bank } = world;
  const stage = { baseUrl: platform.facts.baseUrl, operator: platform.facts.operator, bank, shops, history };
  const company = await raiseCurtain({ ...stage, dice: dice.named('company') });
  const probe = await openProbe({ facts: platform.facts, bank, shops, history, dice: dice.named('probe') });
  return { company, probe };
}

interface Stage {
  world: World;
  company: Company;
  probe: Probe;
  dice: Dice;
}

async function breakThings(
  { world, company, probe, dice }: Stage,
  { seed, seconds, mutation, say }: RunOptions,
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
  company.start();
  try {
    const until = performance.now() + seconds * 1_000;
    const isOver = () => performance.now() >= until;
    const parts = {
      world,
      faults,
      first: inTurn(faults, { seed, count: FIRST_FAULTS }),
      probe: examine,
      isOver,
      say,
    };
    return await strikeInTurn({ ...parts, dice: dice.named('faults') });
  } finally {
    await company.stop();
  }
}

/** Of processes that ended by themselves, or otherwise than in order. */
function deathsOf({ replicas }: World, strikes: readonly Strike[]): string[] {
  return [...replicas.flatMap(({ deaths }) => deaths), ...strikes.flatMap(({ disorder }) => disorder ?? [])];
}

/** Of the processes that are told to stop when all is judged. */
async function disorderAtTheEnd(world: OpenWorld): Promise<string[]> {
  try {
    await world.stop();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Those that bring the harm of a mutation about; without one, all. */
function faultsFor({ seed, seconds, mutation }: Omit<RunOptions, 'say'>): Fault[] {
  const { faults: wanted = [], points } = mutation?.needs ?? {};
  const all = allFaults({ seed, brokerAwayMs: Math.min(A_MINUTE_MS, (seconds * 1_000) / 3), points });
  const needed = all.filter(({ name, group }) => wanted.includes(name) || wanted.includes(group));
  return needed.length > 0 ? needed : all;
}
