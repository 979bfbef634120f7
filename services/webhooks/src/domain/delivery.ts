import type { AttemptError } from '@plataforma/contracts';
import { Refusal, requireNext, type Table, type Tenant } from '@plataforma/kernel';
import type { RetrySchedule, SealedSecret, SignatureVersion } from './configuration.ts';

/**
 * The signal that wakes this process's sender after a commit that changed deliveries. Deliveries of new
 * events need no signal, because the process that stores them also sends them.
 */
export const DELIVERIES_SIGNAL = 'deliveries';

export type DeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED';

type DeliveryVerb = 'succeed' | 'try_again' | 'give_up' | 'resend' | 'stay_received';

/**
 * The transitions of a delivery. `give_up` means that the last attempt failed, or that the configuration is
 * inactive. `resend`: a person requests one more attempt. `stay_received`: that attempt failed, and an
 * earlier one had succeeded.
 */
export const deliveryTransitions: Table<DeliveryStatus, DeliveryVerb> = {
  PENDING: {
    ...{ succeed: 'SUCCEEDED', try_again: 'PENDING', give_up: 'FAILED' },
    ...{ resend: 'PENDING', stay_received: 'SUCCEEDED' },
  },
  SUCCEEDED: { resend: 'PENDING' },
  FAILED: { resend: 'PENDING' },
};

export type SecretOfVersion = SealedSecret & { version: number };

export interface WebhookEndpoint extends Tenant {
  configurationId: string;
}

export function noSuchDelivery(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such delivery');
}

/** The destination of a delivery, with the settings at the time when the delivery was leased. */
export interface DeliveryTarget extends WebhookEndpoint {
  url: string;
  signatureVersion: SignatureVersion;
  retrySchedule: RetrySchedule;
  secret: SecretOfVersion;
  /** Rotated secrets that still sign during their grace period, oldest first. */
  oldSecrets: readonly SecretOfVersion[];
  /** Whether attempts may be subject to a fault that the merchant requested in the sandbox. */
  isFaulted: boolean;
}

export interface Delivery extends DeliveryTarget {
  /** The id of the delivery, which every attempt sends in `X-Webhook-Id`. */
  id: string;
  /**
   * The token of the lease under which the result is recorded. It becomes invalid when another sender leases
   * the delivery.
   */
  leaseToken: string;
  /** The number of finished attempts. */
  attempts: number;
  /** The status before a person requested the next attempt. Null if the schedule planned it. */
  resentFrom: DeliveryStatus | null;
  eventId: string;
  /** Whether this is a test that the merchant requested. No such event happened in the account. */
  isTest: boolean;
  /** The sequence number of the event. Null for events that were stored before sequence numbers existed. */
  sequence: number | null;
  body: string;
  traceparent: string | null;
}

/** One attempt: the endpoint's response with its status, or the reason why it sent no response. */
export interface Attempt {
  at: Date;
  durationMs: number;
  statusCode: number | null;
  failure: AttemptError | null;
  /** The beginning of the response. Sensitive data is masked, so that the text may be stored and shown. */
  responseBody: string | null;
}

/** The wait after each failed attempt except the last. The public API documents these times. */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000, 32_000];

/** Additional waits of the extended retry schedule. */
export const LATER_DELAYS_MS: readonly number[] = [5, 30, 2 * 60, 6 * 60, 12 * 60].map(
  (minutes) => minutes * 60_000,
);

/** The timeout of an attempt, from the connection to the end of the response. The public API documents it. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Returns the outcome of an attempt for metrics. `refused` means a response without a 2xx status. */
export function outcomeOf({ statusCode, failure }: Pick<Attempt, 'statusCode' | 'failure'>) {
  if (statusCode !== null) return isTaken(statusCode) ? 'delivered' : 'refused';
  return failure === 'timeout' ? 'timeout' : 'failed';
}

function isTaken(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export interface DeliveryDecision {
  status: DeliveryStatus;
  /** The wait until the next attempt. Null unless the status is PENDING. */
  retryInMs: number | null;
}

export interface Delays {
  retryDelaysMs: readonly number[];
  laterDelaysMs: readonly number[];
}

/**
 * Decides the status of a PENDING delivery after an attempt. An attempt that a person requested for an ended
 * delivery is not retried.
 */
export function afterAttempt(
  { attempts, resentFrom, retrySchedule }: Pick<Delivery, 'attempts' | 'resentFrom' | 'retrySchedule'>,
  { statusCode }: Pick<Attempt, 'statusCode'>,
  { retryDelaysMs, laterDelaysMs }: Delays,
): DeliveryDecision {
  if (statusCode !== null && isTaken(statusCode)) return { status: afterPending('succeed'), retryInMs: null };
  if (resentFrom === 'SUCCEEDED') return { status: afterPending('stay_received'), retryInMs: null };
  if (resentFrom === 'FAILED') return { status: afterPending('give_up'), retryInMs: null };
  const delaysMs = retrySchedule === 'extended' ? [...retryDelaysMs, ...laterDelaysMs] : retryDelaysMs;
  const retryInMs = delaysMs[attempts];
  if (retryInMs === undefined) return { status: afterPending('give_up'), retryInMs: null };
  return { status: afterPending('try_again'), retryInMs };
}

/** Returns the status of a leased delivery after a step. A leased delivery always has the status PENDING. */
function afterPending(verb: DeliveryVerb): DeliveryStatus {
  return requireNext(deliveryTransitions, { noun: 'delivery', status: 'PENDING' }, verb);
}
