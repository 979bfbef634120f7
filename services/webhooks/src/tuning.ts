import { ATTEMPT_TIMEOUT_MS, LATER_DELAYS_MS, RETRY_DELAYS_MS } from './domain/delivery.ts';
import { FAULT_TIMES, type FaultTimes } from './domain/webhook-fault.ts';
import type { Pace } from './sending/sender.ts';

export interface Tuning extends Pace {
  attemptTimeoutMs: number;
  /**
   * The interval between two checks for due deliveries while this process writes to the database. Without
   * writes, the interval is twenty times as long.
   */
  pollMs: number;
  /** The interval at which expired secrets and faults are deleted. Old events have a separate schedule. */
  forgetEveryMs: number;
  resealEveryMs: number;
  faultTimes: FaultTimes;
}

export const productionTuning: Tuning = {
  // Sandboxes may use at most half of these slots.
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
