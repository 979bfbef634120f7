import { type Endpoint, statusOfKind } from '@plataforma/contracts';
import type { Database, Queryable, SecretBox, Transaction } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import {
  findRequestProgress,
  type KeyedRequest,
  type KeyOwner,
  KeyTaken,
  type RequestProgress,
  recordStart,
  type SavedResponse,
  saveResponse,
} from '@plataforma/tables';
import type { IRouter, Request, Response } from 'express';
import { requireAcceptable } from './accept.ts';
import { createBulkhead } from './bulkhead.ts';
import { authenticateCaller, type Caller } from './caller.ts';
import { failPoint, situation } from './fail-points.ts';
import { digestsOf } from './form.ts';
import { failureEnvelope } from './http-errors.ts';
import { keyedRequest } from './idempotency.ts';
import type { MerchantIdentity, OperatorIdentity, Verifier } from './identity.ts';
import { merchantOf, operatorOf } from './principals.ts';
import { bodyReader } from './read-body.ts';
import { type Answer, type Call, readCall, sayDeprecation } from './serve.ts';

/** Saves the answer for an outcome. Runs in the transaction that makes the outcome final. */
export type SaveResponse<Outcome> = (tx: Transaction, outcome: Outcome | Refusal) => Promise<void>;

/**
 * The idempotency record of a request. It gives all repeats of a keyed request one effect and one answer;
 * without a key nothing is stored.
 */
export interface IdempotencyRecord<Outcome> {
  isKeyed: boolean;
  /**
   * The id of the work that an earlier request with this key began and did not finish. This request resumes
   * the work.
   */
  begunId: string | null;
  /**
   * Records `begunId`, the id of work in several steps, so that a repeat of the request can resume the work.
   * Call it in the transaction of the first step.
   */
  start(tx: Transaction, begunId: string): Promise<void>;
  saveResponse: SaveResponse<Outcome>;
}

interface IdempotentHandler<E extends Endpoint, Principal, Outcome> {
  database: Database;
  /** The box that seals saved answers. Required when the endpoint says `carriesSecret`. */
  secretBox?: SecretBox;
  /**
   * Returns a warning in ASCII about a mistake that production would refuse. Returns null in production, and
   * when the request has no such mistake.
   */
  warn?: (call: Call<E>, principal: Principal) => string | null;
  work: (call: Call<E>, principal: Principal, idempotency: IdempotencyRecord<Outcome>) => Promise<Outcome>;
  /** Returns the answer for an outcome. This request and its repeats get the same answer. */
  show: (outcome: Outcome, db: Queryable) => Answer<E> | Promise<Answer<E>>;
}

interface OwnedIdempotentHandler<E extends Endpoint, Principal, Outcome>
  extends IdempotentHandler<E, Principal, Outcome> {
  authenticate: (req: Request) => Principal | Promise<Principal>;
  ownerOf: (principal: Principal) => KeyOwner;
  /**
   * Runs `work`, which reads a form with files, in one of a limited number of slots. Required when the
   * endpoint takes a file. The slots are limited in total and for each caller.
   */
  inFormSlot?: (principal: Principal, work: () => Promise<void>) => Promise<void>;
}

const MAX_ATTEMPTS = 3;

/**
 * Serves an endpoint with an Idempotency-Key to merchants. For 24 hours, a repeated request gets the first
 * answer with `Idempotency-Replayed: true`. A refusal is saved only if the operation saves it.
 */
export function serveIdempotent<E extends Endpoint, Outcome>(
  router: IRouter,
  endpoint: E,
  { verifier, ...handler }: IdempotentHandler<E, MerchantIdentity, Outcome> & { verifier: Verifier },
): void {
  serveIdempotentTo<E, MerchantIdentity, Outcome>(router, endpoint, {
    ...handler,
    ...(endpoint.takesFile && { inFormSlot: createBulkhead('forms') }),
    authenticate: (req) => merchantOf(req, verifier, endpoint),
    ownerOf: ({ merchantId, environment }) => ({ realm: environment, id: merchantId }),
  });
}

/**
 * Serves an endpoint with an Idempotency-Key to operators, as `serveIdempotent` does to merchants. Each
 * operator has a separate set of these keys.
 */
export function serveOperatorIdempotent<E extends Endpoint, Outcome>(
  router: IRouter,
  endpoint: E,
  { verifier, ...handler }: IdempotentHandler<E, OperatorIdentity, Outcome> & { verifier: Verifier },
): void {
  serveIdempotentTo(router, endpoint, {
    ...handler,
    authenticate: (req) => operatorOf(req, verifier, endpoint),
    ownerOf: ({ operatorId }) => ({ realm: 'operator', id: operatorId }),
  });
}

/**
 * Serves an endpoint with an Idempotency-Key to callers that pass `authenticate`. `ownerOf` returns the key's
 * owner; for a session it is `{ realm: 'account', id: merchantId }`, because a session has no environment.
 *
 * The migrations of the database must include `sharedTables`, and a process must delete old keys
 * (`startForgettingKeys`). If the endpoint says `carriesSecret`, `secretBox` seals the saved answer and
 * replaces the request's hash with a keyed hash. A replaced sealing key must stay configured for 24 hours.
 */
export function serveIdempotentTo<E extends Endpoint, Principal, Outcome>(
  router: IRouter,
  endpoint: E,
  handler: OwnedIdempotentHandler<E, Principal, Outcome>,
): void {
  if (!endpoint.keyed) throw new Error(`${endpoint.path} does not say that it is keyed`);
  const secretBox = endpoint.carriesSecret ? handler.secretBox : null;
  if (secretBox === undefined) throw new Error(`${endpoint.path} carries a secret, and nothing seals it`);
  const read = bodyReader(endpoint);
  const { inFormSlot } = handler;
  if (endpoint.takesFile && !inFormSlot)
    throw new Error(`${endpoint.path} takes a file, and nothing bounds how many`);

  const respond = async (caller: Caller<Principal>, req: Request, res: Response): Promise<void> => {
    await read(req, res);
    const principal = await caller.current();
    sayDeprecation(endpoint, req, res);
    const call = readCall(endpoint, req, principal);
    const request = keyedRequest({
      header: req.get('idempotency-key'),
      owner: handler.ownerOf(principal),
      secretBox,
      method: req.method,
      path: req.path,
      body: endpoint.takesFile ? await digestsOf(req.body) : req.body,
    });
    const warning = handler.warn?.(call, principal);
    if (warning) res.setHeader('X-Sandbox-Warning', warning);
    const { isReplay, status, text } = await answerIdempotent(endpoint, handler, {
      call,
      principal: principal,
      request,
    });
    failPoint('keyed_answer.due');
    if (isReplay) res.setHeader('Idempotency-Replayed', 'true');
    res.status(status).type('application/json').send(text);
  };

  router[endpoint.method](endpoint.path, async (req: Request, res: Response) => {
    const caller = await authenticateCaller(() => handler.authenticate(req));
    requireAcceptable(req, endpoint);
    const answer = () => respond(caller, req, res);
    await (inFormSlot ? inFormSlot(caller.principal, answer) : answer());
  });
}

interface AuthenticatedCall<E extends Endpoint, Principal> {
  call: Call<E>;
  principal: Principal;
  request: KeyedRequest | null;
}

async function answerIdempotent<E extends Endpoint, Principal, Outcome>(
  endpoint: E,
  { database, work, show }: IdempotentHandler<E, Principal, Outcome>,
  { call, principal, request }: AuthenticatedCall<E, Principal>,
): Promise<SavedResponse & { isReplay: boolean }> {
  const textOf = async (outcome: Outcome | Refusal, db: Queryable): Promise<SavedResponse> => {
    if (outcome instanceof Refusal) {
      return { status: statusOfKind[outcome.kind], text: JSON.stringify(failureEnvelope(outcome)) };
    }
    const { data, status = endpoint.status } = await show(outcome, db);
    return { status, text: JSON.stringify({ success: true, data }) };
  };
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const progress = request ? await findRequestProgress(database, request) : ({ is: 'new' } as const);
    if (progress.is === 'answered') return { ...progress, isReplay: true };
    const attempt = attemptOf(request, progress.is === 'begun' ? progress.begunId : null, textOf);
    try {
      const outcome = await work(call, principal, attempt.idempotency);
      return { ...(await textOf(outcome, database)), isReplay: false };
    } catch (error) {
      if (!(await isOvertaken(database, { request, attempt, error }))) throw error;
      situation('request overtaken by the same one');
    }
  }
  throw new Refusal('conflict', 'REQUEST_IN_PROGRESS', 'the same request is in progress; try again shortly');
}

interface Attempt<Outcome> {
  idempotency: IdempotencyRecord<Outcome>;
  /** Returns true unless another request with the same key caused the progress. */
  hasCaused(progress: RequestProgress): boolean;
}

function attemptOf<Outcome>(
  request: KeyedRequest | null,
  begunId: string | null,
  textOf: (outcome: Outcome | Refusal, db: Queryable) => Promise<SavedResponse>,
): Attempt<Outcome> {
  let begun = begunId;
  let hasSaved = false;
  return {
    idempotency: {
      isKeyed: request !== null,
      begunId,
      async start(tx, id) {
        if (request) await recordStart(tx, request, id);
        begun = id;
      },
      async saveResponse(tx, outcome) {
        if (request) await saveResponse(tx, request, { ...(await textOf(outcome, tx)), begunId: begun });
        hasSaved = true;
      },
    },
    hasCaused(progress) {
      if (progress.is === 'answered') return hasSaved;
      return progress.is === 'new' || progress.begunId === begun;
    },
  };
}

interface Failed {
  request: KeyedRequest | null;
  attempt: Pick<Attempt<unknown>, 'hasCaused'>;
  error: unknown;
}

/**
 * Returns true when another request with the same key was faster. The effects of the faster request may have
 * caused this refusal, so the attempt is repeated.
 */
async function isOvertaken(database: Database, { request, attempt, error }: Failed): Promise<boolean> {
  if (error instanceof KeyTaken) return true;
  if (!request || !(error instanceof Refusal)) return false;
  return !attempt.hasCaused(await findRequestProgress(database, request));
}
