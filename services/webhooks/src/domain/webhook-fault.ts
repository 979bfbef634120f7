import type { FaultKind } from '@plataforma/contracts';
import { Refusal, type Tenant } from '@plataforma/kernel';

/** A fault that a sandbox merchant requests for attempts to one configuration. */
export interface WebhookFault extends Tenant {
  id: string;
  configurationId: string;
  kind: FaultKind;
  /** The requested number of attempts. */
  count: number;
  /** The number of attempts that have not met it yet. */
  remaining: number;
  createdAt: Date;
}

/** The most waiting faults of a configuration, so that a claim reads few. */
export const MAX_WAITING_FAULTS = 20;

/** A fault that was assigned to an attempt before the attempt is made. */
export interface AppliedFault {
  kind: FaultKind;
  /** The milliseconds since the fault was assigned. */
  sinceMs: number;
}

export interface FaultTimes {
  delayMs: number;
  /** The longest delay when no later event of the object is delivered. */
  reorderMs: number;
  /** The interval between two checks for such an event. */
  checkMs: number;
}

export const FAULT_TIMES: FaultTimes = { delayMs: 5_000, reorderMs: 30_000, checkMs: 2_000 };

/** Returns the milliseconds by which the attempt is delayed further; 0: it is made now. */
export function delayMs(
  { kind, sinceMs }: AppliedFault,
  isOvertaken: boolean,
  { delayMs, reorderMs, checkMs }: FaultTimes,
): number {
  if (kind === 'delay') return Math.max(0, delayMs - sinceMs);
  if (kind !== 'reorder' || isOvertaken) return 0;
  return Math.min(checkMs, Math.max(0, reorderMs - sinceMs));
}

/** Returns the same refusal for a used-up fault, another merchant's, or one of the other environment. */
export function noSuchFault(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such webhook fault');
}
