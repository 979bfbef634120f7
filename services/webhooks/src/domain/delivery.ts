import type { AttemptError } from '@plataforma/contracts';
import { requireNext, type Table, type Tenant } from '@plataforma/kernel';
import type { RetrySchedule, SealedSecret, SignatureVersion } from './configuration.ts';

/** Wakes this process's sender when a transaction that concerns its deliveries is committed. */
export const DELIVERIES_SIGNAL = 'deliveries';

type DeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED';

type DeliveryVerb = 'succeed' | 'try_again' | 'give_up';

/** `give_up`: the last attempt failed, or the configuration is inactive. */
export const deliveryTransitions: Table<DeliveryStatus, DeliveryVerb> = {
  PENDING: { succeed: 'SUCCEEDED', try_again: 'PENDING', give_up: 'FAILED' },
  SUCCEEDED: {},
  FAILED: {},
};

export type SecretOfVersion = SealedSecret & { version: number };

/** A configuration of an account, which has one endpoint. */
export interface WebhookEndpoint extends Tenant {
  configurationId: string;
}

/** The destination of a delivery, as it was configured when the delivery was claimed. */
export interface DeliveryTarget extends WebhookEndpoint {
  url: string;
  signatureVersion: SignatureVersion;
  retrySchedule: RetrySchedule;
  secret: SecretOfVersion;
  /** The rotated secrets in their grace period, oldest first. */
  oldSecrets: readonly SecretOfVersion[];
  /** Whether its attempts may meet a fault that its merchant requested in the sandbox. */
  isFaulted: boolean;
}

export interface Delivery extends DeliveryTarget {
  /** Also the `X-Webhook-Id` on every attempt. */
  id: string;
  /** Fences the result: the token no longer matches after another sender has claimed the delivery. */
  leaseToken: string;
  /** The number of attempts so far. */
  attempts: number;
  eventId: string;
  /** Whether its merchant requested a test; no event of the account happened. */
  isTest: boolean;
  /** The sequence of the event; null in events stored before sequences existed. */
  sequence: number | null;
  body: string;
  traceparent: string | null;
}

/** One attempt: an answer with its status, or the reason why the endpoint gave none. */
export interface Attempt {
  at: Date;
  durationMs: number;
  statusCode: number | null;
  failure: AttemptError | null;
  /** The beginning of the answer, masked so that it may be stored and shown. */
  responseBody: string | null;
}

/** The wait after each failed attempt but the last; the public contract promises these times. */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000, 32_000];

/** The further waits of the extended schedule. */
export const LATER_DELAYS_MS: readonly number[] = [5, 30, 2 * 60, 6 * 60, 12 * 60].map(
  (minutes) => minutes * 60_000,
);

/** Covers connecting, sending and the answer together; the public contract promises it. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Returns the outcome that metrics count. `refused`: the answer is no 2xx. */
export function outcomeOf({ statusCode, failure }: Pick<Attempt, 'statusCode' | 'failure'>) {
  if (statusCode !== null) return isTaken(statusCode) ? 'delivered' : 'refused';
  return failure === 'timeout' ? 'timeout' : 'failed';
}

function isTaken(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export interface DeliveryDecision {
  status: DeliveryStatus;
  /** Null unless the status is PENDING. */
  retryInMs: number | null;
}

export interface Delays {
  retryDelaysMs: readonly number[];
  laterDelaysMs: readonly number[];
}

/** Decides the status of a PENDING delivery after one more attempt. */
export function afterAttempt(
  { attempts, retrySchedule }: Pick<Delivery, 'attempts' | 'retrySchedule'>,
  { statusCode }: Pick<Attempt, 'statusCode'>,
  { retryDelaysMs, laterDelaysMs }: Delays,
): DeliveryDecision {
  if (statusCode !== null && isTaken(statusCode)) return { status: afterPending('succeed'), retryInMs: null };
  const delaysMs = retrySchedule === 'extended' ? [...retryDelaysMs, ...laterDelaysMs] : retryDelaysMs;
  const retryInMs = delaysMs[attempts];
  if (retryInMs === undefined) return { status: afterPending('give_up'), retryInMs: null };
  return { status: afterPending('try_again'), retryInMs };
}

/** Returns the next status of a claimed delivery, which is PENDING as long as its lease lasts. */
function afterPending(verb: DeliveryVerb): DeliveryStatus {
  return requireNext(deliveryTransitions, { noun: 'delivery', status: 'PENDING' }, verb);
}
