import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { createVerifier, IDENTITY_HEADER, trustedKeys } from '@plataforma/chassis';
import {
  type Behaviour,
  honest,
  type Loopback,
  type Reply,
  sendReply,
  startLoopback,
} from '@plataforma/testing';
import { z } from 'zod';

/** What the ledger lets the withdrawals service ask for; a field that is not named here is a breach. */
const debit = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  environment: z.enum(['production', 'sandbox']),
  netAmount: z.int().positive(),
  fee: z.int().nonnegative(),
  method: z.enum(['PIX', 'TED']),
  occurredAt: z.iso.datetime(),
});

type Debit = z.infer<typeof debit>;

export interface FakeLedger extends Loopback {
  /** Each debit once, in the order it was taken. */
  taken: Debit[];
  /** Debits as they were asked for, again and again if need be. */
  asked: Debit[];
  /** Requests that the ledger does not allow; a test that ends with any is red. */
  breaches: string[];
  /** What a merchant has; a hundred million cents of whom nothing was said. */
  setBalance(merchantId: string, cents: number): void;
  /** How the next debits are met, one behaviour each. */
  next(...behaviours: Behaviour[]): void;
  /** How the next debits of a merchant are met: a late one of another's, which the clock asks for, takes none away. */
  nextFor(merchantId: string, ...behaviours: Behaviour[]): void;
}

const MUCH = 100_000_000;

const refusal = (status: number, code: string): Reply => ({
  status,
  body: { success: false, error: { code, message: 'no' } },
});

/** The ledger's own side, as far as withdrawals asks it: one answer to each debit, for ever. */
export async function startFakeLedger(keys: string): Promise<FakeLedger> {
  const verifier = createVerifier('ledger', trustedKeys.parse(keys));
  const balances = new Map<string, number>();
  const taken: Debit[] = [];
  const asked: Debit[] = [];
  const breaches: string[] = [];
  const refused = new Set<string>();
  const queuedFor = new Map<string, Behaviour[]>();
  let queued: Behaviour[] = [];

  function take(order: Debit): Reply {
    const done: Reply = { status: 200, body: { success: true, data: { id: order.id } } };
    const known = taken.find(({ id }) => id === order.id);
    if (known) return isDeepStrictEqual(known, order) ? done : refusal(409, 'INVALID_STATE');
    const balance = balances.get(order.merchantId) ?? MUCH;
    const amount = order.netAmount + order.fee;
    if (balance < amount || refused.has(order.id)) {
      refused.add(order.id);
      return refusal(422, 'INSUFFICIENT_BALANCE');
    }
    balances.set(order.merchantId, balance - amount);
    taken.push(order);
    return done;
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { identity, issuer } = verifier.verify(String(request.headers[IDENTITY_HEADER]));
    if (identity.kind !== 'service' || issuer !== 'withdrawals') return refusal(401, 'UNAUTHORIZED');
    if (request.method !== 'POST' || request.url !== '/internal/withdrawals')
      return refusal(404, 'NOT_FOUND');
    const order = debit.parse(JSON.parse(await text(request)));
    asked.push(order);
    return (queuedFor.get(order.merchantId)?.shift() ?? queued.shift() ?? honest)(() => take(order));
  }

  const server = await startLoopback(async (request, response) => {
    const reply = await answer(request).catch((error) => {
      breaches.push(`${request.method} ${request.url}: ${error}`);
      return refusal(400, 'VALIDATION_ERROR');
    });
    sendReply(request, response, reply);
  });

  return {
    ...server,
    taken,
    asked,
    breaches,
    setBalance: (merchantId, cents) => void balances.set(merchantId, cents),
    next: (...behaviours) => {
      queued = behaviours;
    },
    nextFor: (merchantId, ...behaviours) => void queuedFor.set(merchantId, behaviours),
  };
}
