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
import { findOrganization, lockOrganization, saveOrganization } from '../store/organizations.ts';

export type ClockWork = keyof typeof clockWorks;

interface Reading {
  database: Database;
  clock: Clock;
  /**
   * Asks a service for its copy of the merchant's clock and for the number of due items. Resolves to null if
   * the service did not answer.
   */
  askDue(work: ClockWork, merchantId: string): Promise<z.infer<typeof dueByClock> | null>;
}

interface MoveClock extends Reading {
  /** The longest wait, in milliseconds, until all due work is done. */
  clockMaxWaitMs: number;
}

/** The first and the longest pause between two checks. The pause doubles each time. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [100, 1_000];
const works: readonly ClockWork[] = ['charges', 'receivables', 'withdrawals'];

/**
 * Moves the clock of a merchant's sandbox forward and waits until the due work is done. A retry with the same
 * Idempotency-Key does not move the clock again, and returns the current state.
 */
export async function moveClock(
  dependencies: MoveClock,
  { tenant, move }: { tenant: Tenant; move: ClockMove },
  idempotency: IdempotencyRecord<SandboxClockView>,
): Promise<SandboxClockView> {
  requireSandbox(tenant);
  // If an earlier request moved the clock, this request does not know whether that move ended API keys. It
  // waits as if keys had ended.
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

/** Moves the clock in one transaction. Returns whether an API key expires because of the move. */
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
    await saveOrganization(tx, after);
    await announce(tx, announcementOf(after));
    await announce(tx, clockMoved(after));
    await announceExpiring(tx, now, merchantId);
    await idempotency.start(tx, newId());
    const at = (each: typeof before) => timeIn(each, 'sandbox', now);
    return sandboxKeysEnd(tx, merchantId, [at(before), at(after)]);
  });
}

/** Returns the time of a merchant's sandbox, and the work that is due at this time and not done yet. */
export async function readClock(dependencies: Reading, tenant: Tenant): Promise<SandboxClockView> {
  requireSandbox(tenant);
  const aheadMs = await aheadOfOrganization(dependencies.database, tenant.merchantId);
  const ask = async (work: ClockWork) => {
    const dueAnswer = await dependencies.askDue(work, tenant.merchantId);
    const count = dueAnswer && dueAnswer.aheadMs >= aheadMs ? dueAnswer.due : null;
    return { what: work, count };
  };
  // A clock that was never moved shows real time, so no work has become due by a move, and no service is
  // asked.
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
