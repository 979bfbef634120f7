import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSigner, createVerifier, IDENTITY_HEADER, trustedKeys } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { type Behaviour, error500, newKeyPair, reset, silence, tooMany } from '@plataforma/testing';
import { type BookedPayment, createLedgerClient, type LedgerClient } from '../src/index.ts';
import { type FakeLedger, startFakeLedger } from './fake-ledger.ts';

const keys = newKeyPair();
const verifier = createVerifier('ledger', trustedKeys.parse(JSON.stringify({ charges: keys.publicKey })));
const UNAVAILABLE = ['unavailable', 'SERVICE_UNAVAILABLE'];
let ledger: FakeLedger;
let client: LedgerClient;

beforeAll(async () => {
  ledger = await startFakeLedger();
});
beforeEach(() => {
  client = clientThatWaits(30_000);
});
afterAll(() => ledger.stop());

const clientThatWaits = (timeoutMs: number) =>
  createLedgerClient({ url: ledger.url, signer: createSigner('charges', keys.privateKey), timeoutMs });

/** Sets the behaviour of the next request. If the behaviour is silence, the client gets a short timeout. */
function replyOnce(behaviour: Behaviour): void {
  ledger.reply(behaviour);
  if (behaviour === silence) client = clientThatWaits(1_000);
}

const json =
  (status: number, body: unknown): Behaviour =>
  () => ({ status, body });
const page =
  (status: number): Behaviour =>
  () => ({ status, text: '<html>Forbidden</html>' });
const failure = (code: string) => ({ success: false, error: { code, message: 'Zuleica' } });

const unknown: [string, Behaviour][] = [
  ['does not answer', silence],
  ['resets the connection', reset],
  ['answers 429', tooMany],
  ['answers 500', error500],
  ['answers endlessly', json(200, { more: 'x'.repeat(2 ** 20) })],
  ['answers 403 with a proxy’s page', page(403)],
  ['answers 200 with a page', page(200)],
  ['answers 302', json(302, {})],
  ['answers null', json(200, null)],
  ['answers a list', json(200, [])],
  ['answers an empty object', json(200, {})],
];

const caller = () => {
  const token = ledger.requests[0]?.headers[IDENTITY_HEADER];
  const { identity, issuer } = verifier.verify(String(token));
  return [issuer, identity.kind];
};

async function refusalOf(work: Promise<unknown>): Promise<[string, string]> {
  const outcome: unknown = await work.catch((error: unknown) => error);
  if (!(outcome instanceof Refusal)) throw new Error('was not refused', { cause: outcome });
  return [outcome.kind, outcome.code];
}

const refund = {
  id: 'refund-1',
  merchantId: 'merchant-1',
  environment: 'sandbox' as const,
  amount: 1000,
  occurredAt: new Date('2026-11-21T12:00:00Z'),
  charge: {
    id: 'charge-1',
    externalId: 'pedido-1',
    paymentMethod: 'PIX' as const,
    amount: 2500,
    feeAmount: 25,
    netAmount: 2475,
    paidAt: new Date('2026-11-20T12:00:00Z'),
    settlesAt: new Date('2026-12-20T12:00:00Z'),
    endToEndId: 'E123',
  },
};
const withdrawal = {
  id: 'withdrawal-1',
  merchantId: 'merchant-1',
  environment: 'production' as const,
  netAmount: 9_900,
  fee: 100,
  method: 'PIX' as const,
  externalId: 'saque-1',
  occurredAt: new Date('2026-11-21T12:00:00Z'),
};
const order = { token: 'token of the order', body: '{"amount": 10000}' };
const more = { payerName: 'Zuleica' };

const debits = [
  {
    what: 'a refund',
    path: '/internal/refunds',
    query: {},
    id: refund.id,
    ask: () => client.debitRefund({ ...refund, ...more, charge: { ...refund.charge, ...more } }),
    body: JSON.parse(JSON.stringify(refund)),
  },
  {
    what: 'a withdrawal',
    path: '/internal/withdrawals',
    query: {},
    id: withdrawal.id,
    ask: () => client.debitWithdrawal({ ...withdrawal, order, ...more }),
    body: JSON.parse(JSON.stringify(withdrawal)),
  },
  {
    what: 'a repeated withdrawal',
    path: '/internal/withdrawals',
    query: { again: 'true' },
    id: withdrawal.id,
    ask: () => client.debitWithdrawalAgain({ ...withdrawal, order, ...more }, 'token of the decision'),
    body: JSON.parse(JSON.stringify(withdrawal)),
  },
];

describe.each(debits)('the debit of $what', ({ path, query, id, ask, body }) => {
  test('is sent in the service’s name with only its fields', async () => {
    ledger.reply(json(200, { success: true, data: { id } }));

    expect(await ask()).toBe(true);

    expect(caller()).toEqual(['charges', 'service']);
    expect(ledger.requests).toMatchObject([{ method: 'POST', path }]);
    expect([ledger.requests[0]?.query, ledger.requests[0]?.body]).toEqual([query, body]);
  });

  test('is not taken when the balance does not cover it', async () => {
    ledger.reply(json(422, failure('INSUFFICIENT_BALANCE')));

    expect(await ask()).toBe(false);
  });

  test.each([
    ...unknown,
    ['answers with another debit', json(200, { success: true, data: { id: 'x' } })] as const,
  ])('is unconfirmed when the ledger %s', async (_what, behaviour) => {
    replyOnce(behaviour);

    expect(await refusalOf(ask())).toEqual(UNAVAILABLE);
  });

  test.each<[string, Behaviour]>([
    ['refuses it with another code', json(422, failure('WEBHOOK_LIMIT_REACHED'))],
    ['refuses the order', json(400, failure('VALIDATION_ERROR'))],
    ['has other facts under its id', json(409, failure('INVALID_STATE'))],
    ['names a balance with another status', json(409, failure('INSUFFICIENT_BALANCE'))],
    ['refuses the caller', json(401, failure('UNAUTHORIZED'))],
  ])('is an error, not a refusal, when the ledger %s', async (_what, behaviour) => {
    ledger.reply(behaviour);

    const error: unknown = await ask().catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(Refusal);
    expect(String(error)).toMatch(/^Error: the ledger answered \d{3}/);
    expect(String(error)).not.toMatch(/Zuleica/);
  });
});

describe('the payments of a period', () => {
  const period = {
    environment: 'production' as const,
    from: new Date('2026-11-20T00:00:00Z'),
    to: new Date('2026-11-21T00:00:00Z'),
  };
  const payment = (reference: string) => ({
    kind: 'charge_paid',
    reference,
    merchantId: 'merchant-1',
    paymentMethod: 'PIX',
    received: 2500,
    returned: 100,
    lost: 0,
  });
  const pageOf = (ids: string[], next: string | null) =>
    json(200, { success: true, data: ids.map((id) => ({ id, ...payment(id) })), next });
  async function list() {
    const pages: BookedPayment[][] = [];
    for await (const payments of client.payments(period)) pages.push(payments);
    return pages;
  }

  test('are read page by page, in the service’s name', async () => {
    ledger.reply(pageOf(['1', '2'], '2'), pageOf(['3'], null));

    expect(await list()).toEqual([[payment('1'), payment('2')], [payment('3')]]);
    expect(caller()).toEqual(['charges', 'service']);
    const listQuery = {
      environment: 'production',
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
      limit: '1000',
    };
    expect(ledger.requests.map(({ method, path, query }) => [method, path, query])).toEqual([
      ['GET', '/internal/payments', listQuery],
      ['GET', '/internal/payments', { ...listQuery, after: '2' }],
    ]);
  });

  test('can be an empty list', async () => {
    ledger.reply(pageOf([], null));

    expect(await list()).toEqual([]);
  });

  test('are unavailable when a cursor repeats itself', async () => {
    ledger.reply(pageOf(['1'], '1'), pageOf(['1'], '1'));

    expect(await refusalOf(list())).toEqual(UNAVAILABLE);
    expect(ledger.requests).toHaveLength(2);
  });

  test.each<[string, Behaviour]>([
    ...unknown,
    ['refuses', json(400, failure('VALIDATION_ERROR'))],
    ['omits the next page', json(200, { data: [] })],
    ['answers half a cent', json(200, { data: [{ ...payment('1'), received: 0.5 }], next: null })],
  ])('are unavailable when the ledger %s', async (_what, behaviour) => {
    replyOnce(behaviour);

    expect(await refusalOf(list())).toEqual(UNAVAILABLE);
  });
});
