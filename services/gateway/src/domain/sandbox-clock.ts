import { type Environment, later, Refusal } from '@plataforma/kernel';
import type { Organization } from './organization.ts';

/** How a merchant moves the clock of its sandbox: by milliseconds, or to an instant. */
export interface ClockMove {
  advance?: number | undefined;
  at?: Date | undefined;
}

interface Bounds {
  maxAdvanceMs: number;
  maxAheadMs: number;
}

/** How far ahead of the real time the clock is after a move; refused where it would go back, or too far. */
export function aheadAfter(
  aheadMs: number,
  { advance, at }: ClockMove,
  { now, maxAdvanceMs, maxAheadMs }: Bounds & { now: Date },
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

/** The time by which keys of an environment end. */
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
