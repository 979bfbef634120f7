import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { createVerifier, IDENTITY_HEADER, trustedKeys } from '@plataforma/http';
import type { Environment } from '@plataforma/kernel';
import { type Behaviour, honest, type Reply, sendReply } from './behaviours.ts';
import type { Debit, DebitRoute } from './debit-routes.ts';
import { type ChainedFact, createFakeChains, type Proof } from './fake-chains.ts';
import { type Loopback, startLoopback } from './loopback.ts';
import { createScript } from './script.ts';

export interface FakeLedger<D extends Debit> extends Loopback {
  /** The accepted debits in their order. A repeated debit is listed once. */
  taken: D[];
  /** All requests for a debit, including the repeated ones. */
  debitRequests: D[];
  /** The headers of each request in `debitRequests`. */
  debitHeaders: IncomingHttpHeaders[];
  /**
   * The requests that violate the schema of their route. If the list is not empty, the test environment
   * throws when it stops.
   */
  breaches: string[];
  /** Sets a merchant's balance in cents. The default is 100,000,000 cents. */
  setBalance(merchantId: string, cents: number): void;
  /**
   * Sets the debt of a dispute's reserve in cents. The first `answersBefore` answers report that the debt is
   * not known yet. If `debt` is null, the ledger answers 503.
   */
  reserve(disputeId: string, debt: number | null, options?: { answersBefore: number }): void;
  book(payment: BookedPayment): void;
  /** Appends an entry to the hash chain of a merchant's wallet, without a debit. */
  post(merchantId: string, fact: ChainedFact): void;
  /** Changes all later proofs of a merchant's wallet. If `change` returns null, the ledger answers 503. */
  prove(merchantId: string, change: (honest: Proof) => Proof | null): void;
  /** Sets the behaviours of the next debits: the first behaviour applies to the next debit, and so on. */
  next(...behaviours: Behaviour[]): void;
  /**
   * Sets the behaviours of the next debits of one merchant. The scheduler's debits for other merchants do not
   * use these behaviours.
   */
  nextFor(merchantId: string, ...behaviours: Behaviour[]): void;
  /**
   * Sets the behaviour of all later debits. Without a behaviour the ledger executes each debit and answers
   * correctly.
   */
  always(behaviour?: Behaviour): void;
  /** Removes all behaviours that the test has set. */
  reset(): void;
}

interface BookedPayment {
  kind: 'charge_paid' | 'unexpected_payment_received';
  reference: string;
  merchantId: string;
  environment: Environment;
  paymentMethod: 'PIX' | 'CARD';
  received: number;
  returned: number;
  lost: number;
  paidAt: Date;
}

interface LedgerOptions<D extends Debit> {
  route: DebitRoute<D>;
  /** The setting TRUSTED_KEYS, with which the fake ledger verifies the tokens of the service. */
  keys: string;
}

const MUCH = 100_000_000;
const ANYONE = '';

const refusal = (status: number, code: string): Reply => ({
  status,
  body: { success: false, error: { code, message: 'no' } },
});

const ok = (data: object): Reply => ({ status: 200, body: { success: true, data } });

/**
 * Starts a fake ledger for one service. It refuses every repeat of a refused debit, even if the balance has
 * become sufficient. It does not store the refusal of a request with the query parameter `again`.
 */
export async function startFakeLedger<D extends Debit>({
  route,
  keys,
}: LedgerOptions<D>): Promise<FakeLedger<D>> {
  const verifier = createVerifier('ledger', trustedKeys.parse(keys));
  const script = createScript<string>();
  const balances = new Map<string, number>();
  const chains = createFakeChains();
  const proving = new Map<string, (honest: Proof) => Proof | null>();
  const debts = createDebts();
  const refused = new Set<string>();
  const [taken, debitRequests, breaches]: [D[], D[], string[]] = [[], [], []];
  const debitHeaders: IncomingHttpHeaders[] = [];
  const booked = createBooked();

  function take(order: D, isAgain: boolean): Reply {
    const done = ok({ id: order.id });
    const existing = taken.find(({ id }) => id === order.id);
    if (existing) return isDeepStrictEqual(existing, order) ? done : refusal(409, 'INVALID_STATE');
    const balance = balances.get(order.merchantId) ?? MUCH;
    const amount = route.amountOf(order);
    if (balance < amount && !isAgain) refused.add(order.id);
    if (balance < amount || refused.has(order.id)) return refusal(422, 'INSUFFICIENT_BALANCE');
    balances.set(order.merchantId, balance - amount);
    taken.push(order);
    chains.post(order.merchantId, { kind: 'withdrawal_created', reference: order.id, amount: -amount });
    return done;
  }

  function read({ pathname, searchParams }: URL): Reply {
    if (pathname === '/internal/payments') return booked.of(searchParams);
    if (pathname === '/internal/wallet-proof') return prove(searchParams);
    if (pathname === '/internal/dispute-debt') return debts.of(searchParams.get('disputeId') ?? '');
    const withdrawable = balances.get(searchParams.get('merchantId') ?? '') ?? MUCH;
    if (pathname === '/internal/refundable') return ok({ withdrawable, pending: 0, isBooked: true });
    return pathname === '/internal/withdrawable' ? ok({ withdrawable }) : refusal(404, 'NOT_FOUND');
  }

  function prove(query: URLSearchParams): Reply {
    const merchantId = query.get('merchantId') ?? '';
    const question = { after: Number(query.get('after')), withdrawalId: query.get('withdrawalId') ?? '' };
    const proof = (proving.get(merchantId) ?? ((same) => same))(chains.proofOf(merchantId, question));
    return proof ? ok(proof) : refusal(503, 'SERVICE_UNAVAILABLE');
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { identity, issuer } = verifier.verify(String(request.headers[IDENTITY_HEADER]));
    if (identity.kind !== 'service' || issuer !== route.asker) return refusal(401, 'UNAUTHORIZED');
    const url = new URL(request.url ?? '', 'http://ledger');
    if (request.method === 'GET') return read(url);
    if (request.method !== 'POST' || url.pathname !== route.path) return refusal(404, 'NOT_FOUND');
    const order = route.debit.parse(JSON.parse(await text(request)));
    debitRequests.push(order);
    debitHeaders.push(request.headers);
    const isAgain = url.searchParams.has('again');
    return (script.take(order.merchantId) ?? script.take(ANYONE) ?? honest)(() => take(order, isAgain));
  }

  const server = await startLoopback(async (request, response) =>
    sendReply(request, response, await answer(request).catch(refuseAs(breaches, request))),
  );

  return {
    ...server,
    ...{ taken, debitRequests, debitHeaders, breaches },
    setBalance: (merchantId, cents) => void balances.set(merchantId, cents),
    reserve: debts.set,
    book: booked.add,
    post: chains.post,
    prove: (merchantId, change) => void proving.set(merchantId, change),
    next: (...behaviours) => script.next(ANYONE, ...behaviours),
    nextFor: script.next,
    always: (behaviour) => script.always(ANYONE, behaviour),
    reset: script.clear,
  };
}

function createBooked() {
  const booked: BookedPayment[] = [];
  return {
    add: (payment: BookedPayment) => void booked.push(payment),
    of(period: URLSearchParams): Reply {
      const [from, to] = ['from', 'to'].map((end) => Date.parse(period.get(end) ?? ''));
      const data = booked.filter(({ environment, paidAt }) => {
        const at = paidAt.getTime();
        return environment === period.get('environment') && at >= Number(from) && at < Number(to);
      });
      return { status: 200, body: { success: true, data, next: null } };
    },
  };
}

/**
 * Creates the store of dispute debts, in cents. A debt is the part of a dispute that the merchant's money did
 * not cover. It is 0 until the test sets it.
 */
function createDebts() {
  const debts = new Map<string, { debt: number | null; answersBefore: number }>();
  return {
    set: (disputeId: string, debt: number | null, { answersBefore } = { answersBefore: 0 }) =>
      void debts.set(disputeId, { debt, answersBefore }),
    of(disputeId: string): Reply {
      const reserved = debts.get(disputeId) ?? { debt: 0, answersBefore: 0 };
      reserved.answersBefore -= 1;
      if (reserved.debt === null) return refusal(503, 'SERVICE_UNAVAILABLE');
      return ok({ debt: reserved.answersBefore >= 0 ? null : reserved.debt });
    },
  };
}

const refuseAs =
  (breaches: string[], { method, url }: IncomingMessage) =>
  (error: unknown): Reply => {
    breaches.push(`${method} ${url}: ${error}`);
    return refusal(400, 'VALIDATION_ERROR');
  };
