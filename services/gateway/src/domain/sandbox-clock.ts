import { type Environment, later, Refusal } from '@plataforma/kernel';
import type { Organization } from './organization.ts';

/** A move of a sandbox's clock: forward by a number of milliseconds, or to an instant. */
export interface ClockMove {
  advance?: number | undefined;
  at?: Date | undefined;
}

/**
 * Returns the milliseconds by which the clock is ahead of real time after the move. Throws INVALID_STATE for
 * a move backwards or too far.
 */
export function aheadAfter(
  aheadMs: number,
  { advance, at }: ClockMove,
  { now, maxAdvanceMs, maxAheadMs }: { now: Date; maxAdvanceMs: number; maxAheadMs: number },
): number {
  const after = at ? at.getTime() - now.getTime() : aheadMs + (advance ?? 0);
  if (after <= aheadMs) {
    const shown = later(now, aheadMs).toISOString();
    throw refused(`the clock of your sandbox is at ${shown}, and goes forward only`);
  }
  if (after - aheadMs > maxAdvanceMs) throw refused('the clock moves by 365 days at a time at most');
  if (after > maxAheadMs) throw refused('the clock can be 1,825 days ahead of the real time at most');
  return after;
}

/** Returns the time of an environment's clock, by which its API keys expire. */
export function timeIn(
  { sandboxAheadMs }: Pick<Organization, 'sandboxAheadMs'>,
  environment: Environment,
  now: Date,
): Date {
  return environment === 'sandbox' ? later(now, sandboxAheadMs) : now;
}

function refused(message: string): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', message);
}
