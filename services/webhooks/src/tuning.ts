import { ATTEMPT_TIMEOUT_MS, LATER_DELAYS_MS, RETRY_DELAYS_MS } from './domain/delivery.ts';
import { FAULT_TIMES, type FaultTimes } from './domain/webhook-fault.ts';
import type { Pace } from './sending/sender.ts';

export interface Tuning extends Pace {
  attemptTimeoutMs: number;
  /**
   * The interval between two checks for due deliveries while this process writes; an idle one checks twenty
   * times more rarely.
   */
  pollMs: number;
  /** The interval for old secrets and faults; partitions of events have their own schedule. */
  forgetEveryMs: number;
  resealEveryMs: number;
  faultTimes: FaultTimes;
}

export const productionTuning: Tuning = {
  // Sandboxes take at most half of the slots.
  limits: { total: 2_048, perEndpoint: 16 },
  retryDelaysMs: RETRY_DELAYS_MS,
  laterDelaysMs: LATER_DELAYS_MS,
  attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
  pollMs: 500,
  forgetEveryMs: 60_000,
  resealEveryMs: 10_000,
  leaseMs: 20_000,
  drainMs: 8_000,
  faultTimes: FAULT_TIMES,
};
