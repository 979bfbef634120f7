import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Company, raiseCurtain } from './actors/company.ts';
import { openShops, type Shops } from './actors/shops.ts';
import { check, type Finding } from './check/check.ts';
import { type Evidence, openDatabases } from './check/evidence.ts';
import { checkHashes } from './check/hashes.ts';
import { rest } from './check/rest.ts';
import { situationsIn } from './check/situations.ts';
import { type UnknownOutcome, unknownOutcomes } from './check/unknown-outcomes.ts';
import { type Dice, diceOf } from './dice.ts';
import { allFaults } from './faults/all.ts';
import type { Fault } from './faults/fault.ts';
import { type History, openHistory } from './history.ts';
import { type Mark, nameOfPoint, readMarks } from './inside/fail-points.ts';
import type { Mutation } from './mutations.ts';
import { openProbe, type Probe } from './probe.ts';
import { type Strike, strikeInTurn } from './schedule.ts';
import { type OpenWorld, openWorld } from './world/open-world.ts';
import type { Replica, World } from './world/world.ts';

export interface RunReport {
  seed: number;
  /** For how long faults struck. */
  seconds: number;
  /** How many calls clients made, by action. */
  calls: ReadonlyMap<string, number>;
  /** How many of them were answered with a 2xx. */
  acknowledged: number;
  strikes: readonly Strike[];
  findings: readonly Finding[];
  /** What came about, and how often. */
  situations: ReadonlyMap<string, number>;
  /** Where processes were killed: `charges at refund.stored`. */
  failPoints: ReadonlySet<string>;
  unknownOutcomes: readonly UnknownOutcome[];
  /** Of logs and databases; gone when the run came out as it should. */
  dataDir: string;
}

interface RunOptions {
  seed: number;
  /** For how long faults strike. */
  seconds: number;
  mutation?: Mutation | undefined;
  say(line: string): void;
}

/** How long the broker is away when it is away for long; in a short run a tenth of that run. */
const A_MINUTE_MS = 60_000;
/** Without a guard there may be no rest. */
const SOON_MS = 90_000;

export const isRed = ({ findings, strikes }: Pick<RunReport, 'findings' | 'strikes'>) =>
  findings.length > 0 || strikes.some(({ recoveryMs }) => recoveryMs === null);

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
    const cast = await openCast({ world, shops, history, dice });
    const strikes = await breakThings({ ...cast, world, dice }, { seconds, mutation, say });
    say('everything is whole; waiting until nothing is under way');
    const judged = await judge({ world, shops, history }, mutation && SOON_MS);
    const report = { seed, seconds, strikes, ...counted(history), ...judged, dataDir };
    await world.stop();
    const isAsExpected = isRed(report) === (mutation !== undefined);
    if (isAsExpected) await rm(dataDir, { recursive: true, force: true });
    return report;
  } finally {
    await world?.stop();
    await shops?.stop();
  }
}

interface Scene {
  world: World;
  shops: Shops;
  history: History;
}

async function openCast({ world, shops, history, dice }: Scene & { dice: Dice }) {
  const { platform, bank } = world;
  const stage = { baseUrl: platform.facts.baseUrl, operator: platform.facts.operator, bank, shops, history };
  const company = await raiseCurtain({ ...stage, dice: dice.named('company') });
  const probe = await openProbe({ facts: platform.facts, bank, shops });
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
  { seconds, mutation, say }: Omit<RunOptions, 'seed'>,
): Promise<Strike[]> {
  const faults = faultsFor({ seconds, mutation });
  company.start();
  try {
    const until = performance.now() + seconds * 1_000;
    const isOver = () => performance.now() >= until;
    return await strikeInTurn({ world, faults, dice: dice.named('faults'), probe, isOver, say });
  } finally {
    await company.stop();
  }
}

/** Those that bring the harm of a mutation about; without one, all. */
function faultsFor({ seconds, mutation }: Pick<RunOptions, 'seconds' | 'mutation'>): Fault[] {
  const { faults: wanted = [], points } = mutation?.needs ?? {};
  const all = allFaults({ brokerAwayMs: Math.min(A_MINUTE_MS, seconds * 100), points });
  const needed = all.filter(({ name, group }) => wanted.includes(name) || wanted.includes(group));
  return needed.length > 0 ? needed : all;
}

/** Compares what the clients saw, all databases, what the bank knows and what the shops were told. */
async function judge({ world, shops, history }: Scene, patienceMs?: number) {
  const { platform, bank, poison, replicas } = world;
  const databases = await openDatabases(platform.databaseUrls);
  try {
    const open = await rest({ databases, bank, poison }, patienceMs);
    const truth = await bank.truth();
    const evidence: Evidence = { databases, truth, calls: history.calls, received: shops.received, poison };
    const marks = await readAllMarks(replicas);
    return {
      findings: [...open, ...(await check(evidence)), ...(await checkHashes(platform.facts))],
      situations: new Map([
        ...(await situationsIn(evidence)),
        ...countsOf(ofKind(marks, 'sometimes').map(({ name }) => name)),
      ]),
      failPoints: new Set(ofKind(marks, 'killed').map(({ service, name }) => nameOfPoint(service, name))),
      unknownOutcomes: await unknownOutcomes(databases),
    };
  } finally {
    await databases[Symbol.asyncDispose]();
  }
}

function counted({ calls }: History): Pick<RunReport, 'calls' | 'acknowledged'> {
  const isDone = (status: number | null) => status !== null && status < 300;
  return {
    calls: countsOf(calls.map(({ action }) => action)),
    acknowledged: calls.filter(({ status }) => isDone(status)).length,
  };
}

async function readAllMarks(replicas: readonly Replica[]) {
  const marks = await Promise.all(
    replicas.map(async ({ service, failPointsFile }) =>
      (await readMarks(failPointsFile)).map((mark) => ({ ...mark, service })),
    ),
  );
  return marks.flat();
}

function ofKind<M extends Mark>(marks: readonly M[], kind: Mark['kind']): M[] {
  return marks.filter((mark) => mark.kind === kind);
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
