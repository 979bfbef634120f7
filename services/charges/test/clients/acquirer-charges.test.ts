import { describe, expect, test } from '@jest/globals';
import { CHARGE_ID, charge, startAcquirerPeer, transaction } from './support/acquirer-peer.ts';
import { noAnswers, useless } from './support/faults.ts';
import { all, ERROR, refusalOf, UNAVAILABLE } from './support/outcomes.ts';
import { json, LEASED, peerOfFile, type Reply } from './support/peer.ts';

const peer = peerOfFile(startAcquirerPeer);

describe('a charge read from the acquirer', () => {
  const inspect = (fields: Record<string, unknown> = {}) => {
    peer.reply(json(200, charge(fields)));
    return peer.client.inspect('ch_1');
  };

  test('is parsed with its status and amounts', async () => {
    expect(await inspect({ canceled_amount: 100 })).toEqual({
      acquirerId: 'ch_1',
      chargeId: CHARGE_ID,
      amount: 2500,
      canceledAmount: 100,
      isPaid: true,
      chargeback: null,
    });
    expect(peer.requests).toMatchObject([{ method: 'GET', path: '/core/v5/charges/ch_1' }]);
  });

  test.each<[Record<string, unknown>, boolean]>([
    [{ status: 'paid', paid_amount: null }, true],
    [{ status: 'chargedback', paid_amount: null }, true],
    [{ status: 'canceled' }, true],
    [{ status: 'canceled', paid_amount: 0 }, false],
    [{ status: 'failed', paid_amount: undefined }, false],
    [{ status: 'processing', paid_amount: 0 }, false],
  ])('with %j was paid: %s', async (fields, isPaid) => {
    expect(await inspect(fields)).toMatchObject({ isPaid });
  });

  test.each<[string, Record<string, unknown>, unknown]>([
    [
      'the acquirer’s amount',
      { status: 'chargedback', chargeback: { amount: 900, reason: 'FRAUD' } },
      { amount: 900, reason: 'FRAUD' },
    ],
    [
      'the whole amount when the acquirer gives none',
      { status: 'chargedback' },
      { amount: 2500, reason: 'CHARGEBACK' },
    ],
    [
      'the whole amount when the acquirer’s is unreadable',
      { status: 'chargedback', chargeback: { amount: 'x', reason: 7 } },
      { amount: 2500, reason: 'CHARGEBACK' },
    ],
    [
      'nothing after the dispute is won',
      { status: 'paid', chargeback: { amount: 900, reason: 'FRAUD' } },
      null,
    ],
  ])('is disputed for %s', async (_what, fields, chargeback) => {
    expect(await inspect(fields)).toMatchObject({ chargeback });
  });

  test('may have numbers as text, and no code', async () => {
    const fields = { amount: '2500', canceled_amount: '100', code: null };

    expect(await inspect(fields)).toMatchObject({ amount: 2500, canceledAmount: 100, chargeId: '' });
  });

  test('is null when unknown to the acquirer', async () => {
    peer.reply(json(404, { message: 'Charge not found.' }));

    expect(await peer.client.inspect('ch_1')).toBeNull();
  });

  test('is a provider error when the answer is another charge', async () => {
    expect(await refusalOf(inspect({ id: 'ch_2' }))).toBe(ERROR);
  });

  test('is a provider error with an amount of half a cent', async () => {
    expect(await refusalOf(inspect({ amount: 2500.5 }))).toBe(ERROR);
  });
});

describe('a refund', () => {
  const DONE = { state: 'done', reference: null, amount: null };
  const order = { acquirerId: 'ch_1', refundId: 'refund-1', amount: 1000 };
  const refund = (...replies: Reply[]) => {
    peer.reply(...replies);
    return peer.client.refund(order, LEASED);
  };
  const untouched = json(200, charge());
  const canceled = (amount: number, fields: Record<string, unknown> = {}) =>
    json(200, charge({ canceled_amount: amount, ...fields }));
  const methods = () => peer.requests.map(({ method }) => method);

  test('is requested under its own id', async () => {
    await refund(untouched, canceled(1000));

    expect(peer.requests[1]).toMatchObject({
      method: 'DELETE',
      path: '/core/v5/charges/ch_1',
      headers: { 'idempotency-key': 'refund-1' },
      body: { amount: 1000 },
    });
  });

  test.each<[string, Reply, string]>([
    ['the same amount was cancelled', canceled(1000), 'done'],
    ['all was cancelled', canceled(2500, { status: 'canceled' }), 'done'],
    ['it is canceled without an amount', canceled(0, { status: 'canceled' }), 'done'],
    ['less was cancelled', canceled(999), 'accepted'],
    ['it is in processing', canceled(0, { status: 'processing' }), 'accepted'],
    [
      'its transaction is pending',
      canceled(0, { last_transaction: transaction({ status: 'pending_refund' }) }),
      'accepted',
    ],
  ])('is %3$s when %1$s', async (_what, reply, state) => {
    expect(await refund(untouched, reply)).toMatchObject({ state });
  });

  test('is not requested again once it is done', async () => {
    expect(await refund(canceled(1000))).toEqual(DONE);
    expect(methods()).toEqual(['GET']);
  });

  test('is not requested again while it is under way', async () => {
    const waiting = canceled(0, { last_transaction: transaction({ status: 'pending_refund' }) });

    expect(await refund(waiting)).toEqual({ state: 'accepted', reference: null });
    expect(methods()).toEqual(['GET']);
  });

  test.each([400, 412, 422])('answered with %s and not done is refused', async (status) => {
    const outcome = await refund(untouched, json(status, { message: 'Zuleica' }), untouched);

    expect(outcome).toEqual({ state: 'refused', reason: 'the acquirer refused the refund' });
    expect(methods()).toEqual(['GET', 'DELETE', 'GET']);
  });

  test.each([400, 412, 422])('answered with %s but done is done', async (status) => {
    const outcome = await refund(untouched, json(status, {}), canceled(2500, { status: 'canceled' }));

    expect(outcome).toEqual(DONE);
  });

  test.each([401, 403, 404, 409])('answered with %s is a provider error', async (status) => {
    expect(await refusalOf(refund(untouched, json(status, {})))).toBe(ERROR);
  });

  test('of a charge unknown to the acquirer is a provider error', async () => {
    expect(await refusalOf(refund(json(404, {})))).toBe(ERROR);
  });

  test.each(noAnswers)('is PROVIDER_UNAVAILABLE when the acquirer %s', async (_what, reply) => {
    peer.reply(untouched, reply);

    expect(await refusalOf(peer.shortTimeout.refund(order, LEASED))).toBe(UNAVAILABLE);
  });

  test('done despite the answer 500 is found done on retry', async () => {
    expect(await refusalOf(refund(untouched, json(500, {})))).toBe(UNAVAILABLE);
    expect(await refund(canceled(1000))).toEqual(DONE);
  });

  test.each(useless)('is PROVIDER_ERROR when the acquirer answers %s', async (_what, reply) => {
    expect(await refusalOf(refund(untouched, reply))).toBe(ERROR);
  });
});

describe('the list of charges', () => {
  const period = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };
  const page = (ids: string[], paging: unknown, fields: Record<string, unknown> = {}) =>
    json(200, { data: ids.map((id) => charge({ id, ...fields })), paging });
  const list = async (client = peer.client) =>
    (await all(client.list(period))).map((each) => each.map(({ acquirerId }) => acquirerId));

  test('is read page by page', async () => {
    peer.reply(page(['ch_1', 'ch_2'], { total: 3 }), page(['ch_3'], { total: '3' }));

    expect(await list()).toEqual([['ch_1', 'ch_2'], ['ch_3']]);
    expect(peer.requests.map(({ path, query }) => [path, query])).toEqual(
      ['1', '2'].map((number) => [
        '/core/v5/charges',
        {
          created_since: '2026-11-20T00:00:00.000Z',
          created_until: '2026-11-21T00:00:00.000Z',
          page: number,
          size: '30',
        },
      ]),
    );
  });

  test('continues while a page has a next one, without a total', async () => {
    peer.reply(page(['ch_1'], { next: 'https://api.pagar.me/x' }), page(['ch_2'], {}));

    expect(await list()).toEqual([['ch_1'], ['ch_2']]);
  });

  test('ends at an empty page despite a larger total', async () => {
    peer.reply(page(['ch_1'], { total: 99 }), page([], { total: 99 }));

    expect(await list()).toEqual([['ch_1']]);
    expect(peer.requests).toHaveLength(2);
  });

  test.each([
    ['2026-11-20T00:00:00Z', ['ch_1']],
    ['2026-11-20T23:59:59.999Z', ['ch_1']],
    ['2026-11-21T00:00:00Z', undefined],
    ['2026-11-19T23:59:59Z', undefined],
    [null, ['ch_1']],
  ])('for a charge created at %s contains %j', async (created_at, expected) => {
    peer.reply(page(['ch_1'], { total: 1 }, { created_at }));

    expect((await list())[0]).toEqual(expected);
  });

  test.each<[string, Reply]>([
    ['has no total', json(200, { data: [charge()] })],
    ['contains an invalid charge', json(200, { data: [charge(), {}], paging: { total: 2 } })],
    ['is refused', json(401, {})],
    ...useless.map(([what, reply]): [string, Reply] => [`is ${what}`, reply]),
  ])('is a provider error when a page %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(list())).toBe(ERROR);
  });

  test.each(noAnswers)('is PROVIDER_UNAVAILABLE when the acquirer %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(list(peer.shortTimeout))).toBe(UNAVAILABLE);
  });
});
