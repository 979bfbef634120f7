import type { Database } from '@plataforma/data';
import type { Producer, Subscriber } from '@plataforma/events';
import { createPeerClient, type PeerAnswer, type PeerClient, type Signer } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { metrics } from '../metrics.ts';
import { APPLIED_PATH, type AppliedAnswer, type AppliedQuestion, appliedAnswer } from './contract.ts';

/** A producer and one of its subscribers, with the times of one comparison. */
export interface Pair {
  database: Database;
  log: Log;
  producer: Producer;
  subscriber: Subscriber;
  peer: PeerClient;
  now: Date;
  everyMs: number;
  /** No comparison covers events below this id, because the inbox may have forgotten them. */
  oldest: string;
  stopping: AbortSignal;
}

/** A shutdown waits for a running question, and must end within ten seconds. */
const TIMEOUT_MS = 5_000;

export function openSubscriber(service: Subscriber, baseUrl: string, signer: Signer): PeerClient {
  return createPeerClient({ service, baseUrl, signer, timeoutMs: TIMEOUT_MS, unanswered });
}

function unanswered(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'the subscriber did not answer in time');
}

const counted = metrics.recorder('plataforma_event_comparisons_total');
const FAILURES: Readonly<Record<number, string>> = { 401: 'refused', 403: 'refused', 404: 'unsupported' };

/** Asks the subscriber. Without a usable answer, counts and logs the reason and returns null. */
export async function askSubscriber(
  { peer, subscriber, log }: Pair,
  body: AppliedQuestion,
): Promise<AppliedAnswer | null> {
  const fail = (outcome: string, reason: object) => {
    counted({ subscriber, outcome }, 1);
    log.warn({ subscriber, outcome, ...reason }, 'events not compared with a subscriber');
    return null;
  };
  let answer: PeerAnswer;
  try {
    answer = await peer.send({ method: 'POST', path: APPLIED_PATH, body });
  } catch (error) {
    return fail('unanswered', { err: error });
  }
  const { status } = answer;
  const read = appliedAnswer.safeParse(dataIn(answer.body));
  if (status !== 200 || !read.success) return fail(FAILURES[status] ?? 'unanswered', { status });
  counted({ subscriber, outcome: read.data.is }, 1);
  return read.data;
}

function dataIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}
