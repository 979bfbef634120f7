import { ATTEMPT_TIMEOUT_MS, LATER_DELAYS_MS, RETRY_DELAYS_MS } from './domain/delivery.ts';
import { FAULT_TIMES, type FaultTimes } from './domain/webhook-fault.ts';
import type { Pace } from './sending/sender.ts';

/** How fast webhooks sends, and how often it looks for what is due, old, or sealed with an older key. */
export interface Tuning extends Pace {
  attemptTimeoutMs: number;
  /** Between two looks for due deliveries, while this process writes. */
  pollMs: number;
  /** For old secrets and faults; months of events go by themselves. */
  forgetEveryMs: number;
  resealEveryMs: number;
  faultTimes: FaultTimes;
}

export const productionTuning: Tuning = {
  // Sandboxes take half of them at most.
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
