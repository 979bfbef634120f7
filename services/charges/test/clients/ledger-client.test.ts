import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSigner, createVerifier, IDENTITY_HEADER, trustedKeys } from '@plataforma/chassis';
import { Refusal } from '@plataforma/kernel';
import { newKeyPair } from '@plataforma/testing';
import { createLedgerClient, type LedgerClient } from '../../src/ledger/ledger-client.ts';
import { noAnswers, useless } from './support/faults.ts';
import { all, fullRefusalOf, refusalOf } from './support/outcomes.ts';
import { json, type Peer, type Reply, startPeer } from './support/peer.ts';

const keys = newKeyPair();
const verifier = createVerifier('ledger', trustedKeys.parse(JSON.stringify({ charges: keys.publicKey })));
const UNAVAILABLE = 'unavailable SERVICE_UNAVAILABLE';
let peer: Peer;
let client: LedgerClient;

beforeAll(async () => {
  peer = await startPeer();
  client = createLedgerClient({
    url: peer.url,
    signer: createSigner('charges', keys.privateKey),
    timeoutMs: 1_000,
  });
});
beforeEach(() => void peer.asked.splice(0));
afterAll(() => peer.stop());

const caller = () => {
  const token = peer.asked[0]?.headers[IDENTITY_HEADER];
  const { identity, issuer } = verifier.verify(String(token));
  return [issuer, identity.kind];
};

describe('the debit of a refund', () => {
  const debit = {
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
      settlesAt: null,
    },
  };
  const debitWith = (...replies: Reply[]) => {
    peer.reply(...replies);
    return client.debitRefund(debit);
  };
  const failure = (code: string) => ({ success: false, error: { code, message: 'Zuleica' } });

  test('is asked for in this service’s name, with times as text and nothing else', async () => {
    const charge = { ...debit.charge, payerName: 'Zuleica' };
    peer.reply(json(200, { success: true, data: { id: debit.id } }));

    await client.debitRefund({ ...debit, charge });

    expect(caller()).toEqual(['charges', 'service']);
    expect(peer.asked).toMatchObject([{ method: 'POST', path: '/internal/refunds' }]);
    expect(peer.asked[0]?.body).toEqual({
      ...debit,
      occurredAt: '2026-11-21T12:00:00.000Z',
      charge: { ...debit.charge, paidAt: '2026-11-20T12:00:00.000Z' },
    });
  });

  test('says when card money settles', async () => {
    peer.reply(json(200, {}));

    await client.debitRefund({
      ...debit,
      charge: { ...debit.charge, settlesAt: new Date('2026-12-20T12:00:00Z') },
    });

    expect(peer.asked[0]?.body).toMatchObject({ charge: { settlesAt: '2026-12-20T12:00:00.000Z' } });
  });

  test('that the balance does not cover is refused in words of ours', async () => {
    const refusal = await fullRefusalOf(debitWith(json(422, failure('INSUFFICIENT_BALANCE'))));

    expect([refusal.kind, refusal.code, refusal.message]).toEqual([
      'unprocessable',
      'INSUFFICIENT_BALANCE',
      'the balance does not cover the refund',
    ]);
  });

  test.each(noAnswers)('is unknown when the ledger %s', async (_what, reply) => {
    const work = debitWith(reply);

    expect(await refusalOf(work)).toBe(UNAVAILABLE);
  });

  test.each<[string, Reply]>([
    ['refuses it for another reason', json(422, failure('WEBHOOK_LIMIT_REACHED'))],
    ['refuses it for none', json(422, {})],
    ['refuses the order', json(400, failure('VALIDATION_ERROR'))],
    ['has other facts under its id', json(409, failure('INVALID_STATE'))],
    ['names a balance with another status', json(409, failure('INSUFFICIENT_BALANCE'))],
    ['refuses us', json(401, failure('UNAUTHORIZED'))],
    ['answers 302', json(302, {})],
  ])('is a defect, and no refusal, when the ledger %s', async (_what, reply) => {
    const error: unknown = await debitWith(reply).catch((thrown: unknown) => thrown);

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
  const page = (ids: string[], next: string | null) =>
    json(200, {
      success: true,
      data: ids.map((id) => ({ id, ...payment(id) })),
      next,
    });
  const list = () => all(client.payments(period));

  test('are read page by page, in this service’s name', async () => {
    peer.reply(page(['1', '2'], '2'), page(['3'], null));

    expect(await list()).toEqual([[payment('1'), payment('2')], [payment('3')]]);
    expect(caller()).toEqual(['charges', 'service']);
    const asked = {
      environment: 'production',
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
      limit: '1000',
    };
    expect(peer.asked.map(({ method, path, query }) => [method, path, query])).toEqual([
      ['GET', '/internal/payments', asked],
      ['GET', '/internal/payments', { ...asked, after: '2' }],
    ]);
  });

  test('may be none', async () => {
    peer.reply(page([], null));

    expect(await list()).toEqual([]);
  });

  test('are not asked for in a circle', async () => {
    peer.reply(page(['1'], '1'), page(['1'], '1'));

    expect(await refusalOf(list())).toBe(UNAVAILABLE);
    expect(peer.asked).toHaveLength(2);
  });

  test.each<[string, Reply]>([
    ...noAnswers,
    ...useless,
    ['refuses', json(400, {})],
    ['does not say whether there are more', json(200, { data: [] })],
    ['answers half a cent', json(200, { data: [{ ...payment('1'), received: 0.5 }], next: null })],
  ])('are unavailable when the ledger %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(list())).toBe(UNAVAILABLE);
  });
});
