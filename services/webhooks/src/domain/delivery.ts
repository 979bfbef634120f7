import type { AttemptError } from '@plataforma/contracts';
import { demandNext, type Table, type Tenant } from '@plataforma/kernel';
import type { RetrySchedule, SealedSecret, SignatureVersion } from './configuration.ts';

/** Wakes this process's sender when a transaction that concerns its deliveries is committed. */
export const DELIVERIES_SIGNAL = 'deliveries';

type DeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED';

type DeliveryVerb = 'succeed' | 'try_again' | 'give_up';

/** `give_up`: after the last attempt, or when its endpoint takes no more. */
export const deliveryTransitions: Table<DeliveryStatus, DeliveryVerb> = {
  PENDING: { succeed: 'SUCCEEDED', try_again: 'PENDING', give_up: 'FAILED' },
  SUCCEEDED: {},
  FAILED: {},
};

export type SecretOfVersion = SealedSecret & { version: number };

/** A configuration of an account, which has one endpoint. */
export interface Endpoint extends Tenant {
  configurationId: string;
}

/** Where a delivery goes and how, as it was configured when it was claimed. */
export interface Target extends Endpoint {
  url: string;
  signatureVersion: SignatureVersion;
  retrySchedule: RetrySchedule;
  secret: SecretOfVersion;
  /** Rotated ones in their grace, oldest first. */
  oldSecrets: readonly SecretOfVersion[];
  /** Its attempts may meet a fault that its merchant has asked for in the sandbox. */
  isFaulted: boolean;
}

/** A delivery as a sender has claimed it. */
export interface Delivery extends Target {
  /** Also the `X-Webhook-Id` on every attempt. */
  id: string;
  /** Fences its sender's result: it no longer fits once somebody else has claimed after the lease ran out. */
  leaseToken: string;
  /** Made so far. */
  attempts: number;
  eventId: string;
  /** Its merchant asked for it: nothing has happened. */
  isTest: boolean;
  /** Of the event; null: it was stored before sequences were kept. */
  sequence: number | null;
  body: string;
  /** Of the event. */
  traceparent: string | null;
}

/** One try: an answer with its status, or the reason why there was none. */
export interface Attempt {
  at: Date;
  durationMs: number;
  statusCode: number | null;
  failure: AttemptError | null;
  /** The beginning of the answer, fit to be kept and shown. */
  responseBody: string | null;
}

/** How long to wait after each failed attempt but the last (contract section 6, rule 6). */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000, 32_000];

/** What the extended schedule waits after those. */
export const LATER_DELAYS_MS: readonly number[] = [5, 30, 2 * 60, 6 * 60, 12 * 60].map(
  (minutes) => minutes * 60_000,
);

/** For connecting, sending and the answer together (contract section 6, rule 5). */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** How an attempt is counted; `refused`: with an answer that is no 2xx. */
export function outcomeOf({ statusCode, failure }: Pick<Attempt, 'statusCode' | 'failure'>) {
  if (statusCode !== null) return isTaken(statusCode) ? 'delivered' : 'refused';
  return failure === 'timeout' ? 'timeout' : 'failed';
}

function isTaken(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export interface Settlement {
  status: DeliveryStatus;
  /** Only while PENDING. */
  retryInMs: number | null;
}

export interface Delays {
  retryDelaysMs: readonly number[];
  laterDelaysMs: readonly number[];
}

/** What becomes of a PENDING delivery after one more attempt. */
export function afterAttempt(
  { attempts, retrySchedule }: Pick<Delivery, 'attempts' | 'retrySchedule'>,
  { statusCode }: Pick<Attempt, 'statusCode'>,
  { retryDelaysMs, laterDelaysMs }: Delays,
): Settlement {
  if (statusCode !== null && isTaken(statusCode)) return { status: afterPending('succeed'), retryInMs: null };
  const delaysMs = retrySchedule === 'extended' ? [...retryDelaysMs, ...laterDelaysMs] : retryDelaysMs;
  const retryInMs = delaysMs[attempts];
  if (retryInMs === undefined) return { status: afterPending('give_up'), retryInMs: null };
  return { status: afterPending('try_again'), retryInMs };
}

/** What a sender has claimed is PENDING as long as its lease lasts. */
function afterPending(verb: DeliveryVerb): DeliveryStatus {
  return demandNext(deliveryTransitions, { noun: 'delivery', status: 'PENDING' }, verb);
}
