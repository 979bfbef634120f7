import type { FaultKind } from '@plataforma/contracts';
import { Refusal, type Tenant } from '@plataforma/kernel';

/** A fault that a sandbox merchant requests for attempts of a configuration. */
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

/** A fault that an attempt has met before it is made. */
export interface AppliedFault {
  kind: FaultKind;
  /** For how long the attempt has had it. */
  sinceMs: number;
}

/** How long attempts are held back. */
export interface FaultTimes {
  delayMs: number;
  /** At most, where no later event of the object comes. */
  reorderMs: number;
  /** Between two looks for one. */
  checkMs: number;
}

export const FAULT_TIMES: FaultTimes = { delayMs: 5_000, reorderMs: 30_000, checkMs: 2_000 };

/** How long the attempt is held back from now on; 0: it is made. */
export function delayMs(
  { kind, sinceMs }: AppliedFault,
  isOvertaken: boolean,
  { delayMs, reorderMs, checkMs }: FaultTimes,
): number {
  if (kind === 'delay') return Math.max(0, delayMs - sinceMs);
  if (kind !== 'reorder' || isOvertaken) return 0;
  return Math.min(checkMs, Math.max(0, reorderMs - sinceMs));
}

/** Also when it is used up, another merchant's, or of the other environment. */
export function noSuchFault(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such webhook fault');
}
