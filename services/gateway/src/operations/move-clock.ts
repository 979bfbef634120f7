import { setTimeout as sleep } from 'node:timers/promises';
import { type clockWorks, MAX_ADVANCE_MS, MAX_AHEAD_MS, type SandboxClockView } from '@plataforma/contracts';
import type { Database, Queryable } from '@plataforma/data';
import type { IdempotencyRecord } from '@plataforma/http';
import { type Clock, later, newId, type Tenant } from '@plataforma/kernel';
import { type dueByClock, requireSandbox } from '@plataforma/service';
import { announce } from '@plataforma/tables';
import type { z } from 'zod';
import { CREDENTIALS_CACHE_MS } from '../domain/access.ts';
import { announcementOf, clockMoved } from '../domain/announcement.ts';
import { aheadAfter, type ClockMove, timeIn } from '../domain/sandbox-clock.ts';
import { failPoint } from '../fail-points.ts';
import { announceExpiring } from '../store/announce-expiring.ts';
import { sandboxKeysEnd } from '../store/api-keys.ts';
import { findOrganization, lockOrganization, saveClock } from '../store/organizations.ts';

export type ClockWork = keyof typeof clockWorks;

interface Reading {
  database: Database;
  clock: Clock;
  /** Asks a service how far it has a merchant's clock, and what is due there; null: it did not answer. */
  askDue(work: ClockWork, merchantId: string): Promise<z.infer<typeof dueByClock> | null>;
}

interface MoveClock extends Reading {
  /** For how long the request waits until all that fell due has happened. */
  clockMaxWaitMs: number;
}

/** The wait between two checks, longer each time. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [100, 1_000];
const works: readonly ClockWork[] = ['charges', 'receivables', 'withdrawals'];

/**
 * Moves the clock of a merchant's sandbox forward, and waits until what fell due by it has happened. A request that comes
 * again with its key moves it no second time, and answers what is the case then.
 */
export async function moveClock(
  dependencies: MoveClock,
  { tenant, move }: { tenant: Tenant; move: ClockMove },
  idempotency: IdempotencyRecord<SandboxClockView>,
): Promise<SandboxClockView> {
  requireSandbox(tenant);
  // Whether keys end by a move that was made before is not known.
  const keysEnd =
    idempotency.begunId !== null || (await moveOnce(dependencies, { tenant, move }, idempotency));
  const endedEverywhereAt = performance.now() + (keysEnd ? CREDENTIALS_CACHE_MS : 0);
  failPoint('clock.moved');
  const deadline = performance.now() + dependencies.clockMaxWaitMs;
  let shown = await readClock(dependencies, tenant);
  for (let pauseMs = FIRST_PAUSE_MS; shown.waitingFor.length > 0 && performance.now() < deadline; ) {
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    shown = await readClock(dependencies, tenant);
  }
  await sleep(Math.max(0, endedEverywhereAt - performance.now()));
  const answer = shown;
  if (answer.waitingFor.length === 0 && idempotency.isKeyed) {
    await dependencies.database.transaction((tx) => idempotency.saveResponse(tx, answer));
  }
  return answer;
}

/** Answers whether keys end by it. */
async function moveOnce(
  { database, clock }: MoveClock,
  { tenant: { merchantId }, move }: { tenant: Tenant; move: ClockMove },
  idempotency: IdempotencyRecord<SandboxClockView>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const before = await lockOrganization(tx, merchantId);
    if (!before) throw new Error('an organization vanished');
    const now = clock();
    const bounds = { now, maxAdvanceMs: MAX_ADVANCE_MS, maxAheadMs: MAX_AHEAD_MS };
    const sandboxAheadMs = aheadAfter(before.sandboxAheadMs, move, bounds);
    const after = { ...before, sandboxAheadMs, version: before.version + 1 };
    await saveClock(tx, after);
    await announce(tx, announcementOf(after));
    await announce(tx, clockMoved(after));
    await announceExpiring(tx, now, merchantId);
    await idempotency.start(tx, newId());
    const at = (each: typeof before) => timeIn(each, 'sandbox', now);
    return sandboxKeysEnd(tx, merchantId, [at(before), at(after)]);
  });
}

/** The time of a merchant's sandbox, and what is due by it and has not happened. */
export async function readClock(dependencies: Reading, tenant: Tenant): Promise<SandboxClockView> {
  requireSandbox(tenant);
  const aheadMs = await aheadOfOrganization(dependencies.database, tenant.merchantId);
  const ask = async (work: ClockWork) => {
    const dueAnswer = await dependencies.askDue(work, tenant.merchantId);
    const count = dueAnswer && dueAnswer.aheadMs >= aheadMs ? dueAnswer.due : null;
    return { what: work, count };
  };
  // A clock that was never moved is the real one, which nothing waits for.
  const all = aheadMs === 0 ? [] : await Promise.all(works.map(ask));
  const now = later(dependencies.clock(), aheadMs).toISOString();
  const waitingFor = all.filter(({ count }) => count !== 0);
  return { now, aheadSeconds: Math.floor(aheadMs / 1_000), waitingFor };
}

async function aheadOfOrganization(db: Queryable, merchantId: string): Promise<number> {
  const organization = await findOrganization(db, merchantId);
  if (!organization) throw new Error('an organization vanished');
  return organization.sandboxAheadMs;
}
