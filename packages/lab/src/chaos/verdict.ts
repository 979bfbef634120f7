import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shops } from './actors/shops.ts';
import { check, type Finding } from './check/check.ts';
import { type Evidence, openDatabases } from './check/evidence.ts';
import { checkHashes } from './check/hashes.ts';
import { rest } from './check/rest.ts';
import { situationsIn } from './check/situations.ts';
import { type UnknownOutcome, unknownOutcomes } from './check/unknown-outcomes.ts';
import type { History } from './history.ts';
import { type Mark, nameOfPoint, readMarks } from './inside/fail-points.ts';
import type { Replica, World } from './world/world.ts';

export interface ChaosSetup {
  world: World;
  shops: Shops;
  history: History;
}

interface Judged extends ChaosSetup {
  strikes: number;
  olderUntil?: number | undefined;
}

export interface Verdict {
  findings: readonly Finding[];
  /** The work that was still in progress at the timeout. */
  open: readonly Finding[];
  situations: ReadonlyMap<string, number>;
  /** The fail points at which processes were killed, such as `charges at refund.stored`. */
  failPoints: ReadonlySet<string>;
  unknownOutcomes: readonly UnknownOutcome[];
  calls: ReadonlyMap<string, number>;
  acknowledged: number;
}

/**
 * The maximum number of times that one fault kills or stops processes of one service. A fault uses up to
 * three fail points of each service.
 */
const ENDS_A_STRIKE = 3;

/**
 * Waits until no work is in progress. Then it compares the clients' calls, all databases, the provider's
 * records and the received webhooks.
 */
export async function judge(
  { world, shops, history, strikes, olderUntil }: Judged,
  timeoutMs?: number,
): Promise<Verdict> {
  const { platform, bank, postOffice, poison, refusals, leftUnproven, insiders, replicas } = world;
  const databases = await openDatabases(platform.databaseUrls);
  try {
    const open = await rest({ databases, bank, poison, insiders }, timeoutMs);
    const truth = await bank.truth();
    const evidence: Evidence = {
      databases,
      truth,
      calls: history.calls,
      received: shops.received,
      letters: postOffice.letters,
      poison,
      refusals,
      leftUnproven,
      insiders,
      interruptions: strikes * ENDS_A_STRIKE,
      olderUntil,
    };
    const marks = await readAllMarks(replicas);
    const findings = [...(await check(evidence)), ...(await checkHashes(platform.facts, insiders))];
    await writeEvidence(evidence, { findings, open, dataDir: world.dataDir });
    return {
      findings,
      open,
      ...counted(history),
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

/** Writes the evidence to a file, so that findings can be examined after the servers have stopped. */
async function writeEvidence(
  { calls, received, letters, truth }: Evidence,
  { dataDir, ...found }: Pick<Verdict, 'findings' | 'open'> & { dataDir: string },
): Promise<void> {
  const webhooks = received.map((one) => ({ ...one, body: one.body.toString() }));
  const all = { ...found, calls, webhooks, letters, truth };
  await writeFile(join(dataDir, 'evidence.json'), JSON.stringify(all, null, 1));
}

function counted({ calls }: History): Pick<Verdict, 'calls' | 'acknowledged'> {
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
