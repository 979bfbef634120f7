import type { FaultKind } from '@plataforma/contracts';
import { Refusal, type Tenant } from '@plataforma/kernel';

/** A fault that a merchant requested in the sandbox for attempts to one configuration. */
export interface WebhookFault extends Tenant {
  id: string;
  configurationId: string;
  kind: FaultKind;
  /** The number of attempts for which the merchant requested the fault. */
  count: number;
  /** The number of attempts for which the fault has not been used yet. */
  remaining: number;
  createdAt: Date;
}

/**
 * The maximum number of faults of one configuration that are not used up, so that reading them stays fast.
 */
export const MAX_WAITING_FAULTS = 20;

/** A fault that was assigned to an attempt. The assignment is stored before the attempt starts. */
export interface AppliedFault {
  kind: FaultKind;
  /** Milliseconds since the fault was assigned to the attempt. */
  sinceMs: number;
}

export interface FaultTimes {
  delayMs: number;
  /** The longest delay of a `reorder` fault, if no later event of the same object is delivered. */
  reorderMs: number;
  /** The interval at which a `reorder` fault checks whether a later event was delivered. */
  checkMs: number;
}

export const FAULT_TIMES: FaultTimes = { delayMs: 5_000, reorderMs: 30_000, checkMs: 2_000 };

/**
 * Returns the milliseconds by which the attempt must be delayed, or 0 if the attempt must be made now. The
 * function runs again after each delay.
 */
export function delayMs(
  { kind, sinceMs }: AppliedFault,
  isOvertaken: boolean,
  { delayMs, reorderMs, checkMs }: FaultTimes,
): number {
  if (kind === 'delay') return Math.max(0, delayMs - sinceMs);
  if (kind !== 'reorder' || isOvertaken) return 0;
  return Math.min(checkMs, Math.max(0, reorderMs - sinceMs));
}

/**
 * Returns the refusal for a fault that is used up, belongs to another merchant, or is in the other
 * environment.
 */
export function noSuchFault(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such webhook fault');
}
