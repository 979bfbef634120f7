import type { Endpoint } from '@plataforma/contracts';
import { statusOfKind } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { IRouter, Request, Response } from 'express';
import { refuseCardNumbers } from './card-number.ts';
import type { Database, Transaction } from './database.ts';
import { failureEnvelope } from './http-errors.ts';
import {
  type KeptAnswer,
  type KeyedRequest,
  KeyTaken,
  keepAnswer,
  keyedRequest,
  noteBegun,
  standingOf,
} from './idempotency.ts';
import type { MerchantIdentity, Verifier } from './identity.ts';
import { type Answer, type Call, merchantOf, readBody, readCall } from './serve.ts';

/** How an operation makes its request one that has one effect and one answer; without a key nothing is kept. */
export interface Once<E extends Endpoint> {
  /** Whether the request has a key. */
  isKeyed: boolean;
  /** What an earlier request with this key has begun and not ended: this one goes on with it. */
  begunId: string | null;
  /** In the transaction of the first of several steps: which thing the request has begun. */
  begin(tx: Transaction, begunId: string): Promise<void>;
  /** In the transaction that makes the effect final: the answer, now and whenever the request comes again. */
  keep(tx: Transaction, answer: Answer<E> | Refusal): Promise<void>;
}

interface Door<E extends Endpoint> {
  verifier: Verifier;
  database: Database;
  answer: (call: Call<E>, merchant: MerchantIdentity, once: Once<E>) => Promise<Answer<E>>;
}

const MAX_LOOKS = 3;

/**
 * Serves an endpoint for merchants that honours `Idempotency-Key`: the same request with the same key is answered as
 * the first time, with `Idempotency-Replayed: true`, for 24 hours. A refusal is only kept where the operation says so.
 */
export function serveOnce<E extends Endpoint>(router: IRouter, endpoint: E, door: Door<E>): void {
  router[endpoint.method](
    endpoint.path,
    readBody(endpoint.maxBodyBytes),
    async (req: Request, res: Response) => {
      const merchant = merchantOf(req, door.verifier, endpoint);
      refuseCardNumbers(req.body);
      const call = readCall(endpoint, req);
      const request = keyedRequest({
        header: req.get('idempotency-key'),
        tenant: merchant,
        method: req.method,
        path: req.path,
        body: req.body,
      });
      const { isReplay, status, text } = await answerOnce(endpoint, door, { call, merchant, request });
      if (isReplay) res.setHeader('Idempotency-Replayed', 'true');
      res.status(status).type('application/json').send(text);
    },
  );
}

interface Asked<E extends Endpoint> {
  call: Call<E>;
  merchant: MerchantIdentity;
  request: KeyedRequest | null;
}

async function answerOnce<E extends Endpoint>(
  endpoint: E,
  { database, answer }: Door<E>,
  { call, merchant, request }: Asked<E>,
): Promise<KeptAnswer & { isReplay: boolean }> {
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const standing = request ? await standingOf(database, request) : ({ is: 'new' } as const);
    if (standing.is === 'answered') return { ...standing, isReplay: true };
    const begunId = standing.is === 'begun' ? standing.begunId : null;
    try {
      const given = await answer(call, merchant, onceFor(endpoint, request, begunId));
      return { ...textOf(endpoint, given), isReplay: false };
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
    }
  }
  throw new Refusal('conflict', 'REQUEST_IN_PROGRESS', 'the same request is under way; try again shortly');
}

function onceFor<E extends Endpoint>(
  endpoint: E,
  request: KeyedRequest | null,
  begunId: string | null,
): Once<E> {
  return {
    isKeyed: request !== null,
    begunId,
    async begin(tx, id) {
      if (request) await noteBegun(tx, request, id);
    },
    async keep(tx, answer) {
      if (request) await keepAnswer(tx, request, textOf(endpoint, answer));
    },
  };
}

function textOf<E extends Endpoint>(endpoint: E, answer: Answer<E> | Refusal): KeptAnswer {
  if (answer instanceof Refusal) {
    return { status: statusOfKind[answer.kind], text: JSON.stringify(failureEnvelope(answer)) };
  }
  const { data, status = endpoint.status } = answer;
  return { status, text: JSON.stringify({ success: true, data }) };
}
