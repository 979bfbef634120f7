import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { acquirers } from '../../src/cards/acquirers.ts';
import {
  type AcquirerPeer,
  CHARGE_ID,
  charge,
  startAcquirerPeer,
  transaction,
} from './support/acquirer-peer.ts';
import { noAnswers, useless } from './support/faults.ts';
import { all, refusalOf } from './support/outcomes.ts';
import { json, type Reply } from './support/peer.ts';

let peer: AcquirerPeer;

beforeAll(async () => {
  peer = await startAcquirerPeer({ timeoutMs: 700 });
});
beforeEach(() => void peer.asked.splice(0));
afterAll(() => peer.stop());

const UNAVAILABLE = 'unavailable PROVIDER_UNAVAILABLE';
const ERROR = 'provider_fault PROVIDER_ERROR';

describe('a charge that is looked at', () => {
  const inspect = (fields: Record<string, unknown> = {}) => {
    peer.reply(json(200, charge(fields)));
    return peer.client.inspect('ch_1');
  };

  test('is read as what it is', async () => {
    expect(await inspect({ canceled_amount: 100 })).toEqual({
      acquirerId: 'ch_1',
      chargeId: CHARGE_ID,
      amount: 2500,
      canceledAmount: 100,
      isPaid: true,
      chargeback: null,
    });
    expect(peer.asked).toMatchObject([{ method: 'GET', path: '/core/v5/charges/ch_1' }]);
  });

  test.each<[Record<string, unknown>, boolean]>([
    [{ status: 'paid', paid_amount: null }, true],
    [{ status: 'chargedback', paid_amount: null }, true],
    [{ status: 'canceled' }, true],
    [{ status: 'canceled', paid_amount: 0 }, false],
    [{ status: 'failed', paid_amount: undefined }, false],
    [{ status: 'processing', paid_amount: 0 }, false],
  ])('%j was paid: %s', async (fields, isPaid) => {
    expect(await inspect(fields)).toMatchObject({ isPaid });
  });

  test.each<[string, Record<string, unknown>, unknown]>([
    [
      'what the acquirer says',
      { status: 'chargedback', chargeback: { amount: 900, reason: 'FRAUD' } },
      { amount: 900, reason: 'FRAUD' },
    ],
    ['all of it when nothing is said', { status: 'chargedback' }, { amount: 2500, reason: 'CHARGEBACK' }],
    [
      'all of it when what is said can’t be read',
      { status: 'chargedback', chargeback: { amount: 'x', reason: 7 } },
      { amount: 2500, reason: 'CHARGEBACK' },
    ],
    ['nothing once it was won', { status: 'paid', chargeback: { amount: 900, reason: 'FRAUD' } }, null],
  ])('that is disputed is so for %s', async (_what, fields, chargeback) => {
    expect(await inspect(fields)).toMatchObject({ chargeback });
  });

  test('may have numbers as text, and no code', async () => {
    const fields = { amount: '2500', canceled_amount: '100', code: null };

    expect(await inspect(fields)).toMatchObject({ amount: 2500, canceledAmount: 100, chargeId: '' });
  });

  test('is null when the acquirer does not know it', async () => {
    peer.reply(json(404, { message: 'Charge not found.' }));

    expect(await peer.client.inspect('ch_1')).toBeNull();
  });

  test('that is another is of no use', async () => {
    expect(await refusalOf(inspect({ id: 'ch_2' }))).toBe(ERROR);
  });

  test('of half a cent is of no use', async () => {
    expect(await refusalOf(inspect({ amount: 2500.5 }))).toBe(ERROR);
  });
});

describe('a refund', () => {
  const order = { acquirerId: 'ch_1', refundId: 'refund-1', amount: 1000 };
  const refund = (...replies: Reply[]) => {
    peer.reply(...replies);
    return peer.client.refund(order);
  };
  const untouched = json(200, charge());
  const canceled = (amount: number, fields: Record<string, unknown> = {}) =>
    json(200, charge({ canceled_amount: amount, ...fields }));
  const methods = () => peer.asked.map(({ method }) => method);

  test('is asked for under its own id', async () => {
    await refund(untouched, canceled(1000));

    expect(peer.asked[1]).toMatchObject({
      method: 'DELETE',
      path: '/core/v5/charges/ch_1',
      headers: { 'idempotency-key': 'refund-1' },
      body: { amount: 1000 },
    });
  });

  test.each<[string, Reply, string]>([
    ['as much was cancelled', canceled(1000), 'done'],
    ['all was cancelled', canceled(2500, { status: 'canceled' }), 'done'],
    ['it is canceled, and nothing is said of how much', canceled(0, { status: 'canceled' }), 'done'],
    ['less was cancelled', canceled(999), 'processing'],
    ['it waits', canceled(0, { status: 'processing' }), 'processing'],
    [
      'its transaction waits',
      canceled(0, { last_transaction: transaction({ status: 'pending_refund' }) }),
      'processing',
    ],
  ])('is %3$s when %1$s', async (_what, reply, state) => {
    expect(await refund(untouched, reply)).toEqual({ state });
  });

  test('that was made before is not made again, even when its key is forgotten', async () => {
    expect(await refund(canceled(1000))).toEqual({ state: 'done' });
    expect(methods()).toEqual(['GET']);
  });

  test('that is under way is not asked for again', async () => {
    const waiting = canceled(0, { last_transaction: transaction({ status: 'pending_refund' }) });

    expect(await refund(waiting)).toEqual({ state: 'processing' });
    expect(methods()).toEqual(['GET']);
  });

  test.each([400, 412, 422])('that is answered with %s and not made is refused', async (status) => {
    const outcome = await refund(untouched, json(status, { message: 'Zuleica' }), untouched);

    expect(outcome).toEqual({ state: 'refused', reason: 'the acquirer refused the refund' });
    expect(methods()).toEqual(['GET', 'DELETE', 'GET']);
  });

  test.each([400, 412, 422])('that is answered with %s and made all the same is done', async (status) => {
    const outcome = await refund(untouched, json(status, {}), canceled(2500, { status: 'canceled' }));

    expect(outcome).toEqual({ state: 'done' });
  });

  test.each([401, 403, 404, 409])('that is answered with %s is of no use', async (status) => {
    expect(await refusalOf(refund(untouched, json(status, {})))).toBe(ERROR);
  });

  test('of a charge the acquirer does not know is of no use', async () => {
    expect(await refusalOf(refund(json(404, {})))).toBe(ERROR);
  });

  test.each(noAnswers)('is unknown when the acquirer %s', async (_what, reply) => {
    expect(await refusalOf(refund(untouched, reply))).toBe(UNAVAILABLE);
  });

  test('that is done although the answer said 500 is found done when it is asked for again', async () => {
    expect(await refusalOf(refund(untouched, json(500, {})))).toBe(UNAVAILABLE);
    expect(await refund(canceled(1000))).toEqual({ state: 'done' });
  });

  test.each(useless)('is PROVIDER_ERROR when the acquirer answers %s', async (_what, reply) => {
    expect(await refusalOf(refund(untouched, reply))).toBe(ERROR);
  });
});

describe('the list of charges', () => {
  const period = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };
  const page = (ids: string[], paging: unknown, fields: Record<string, unknown> = {}) =>
    json(200, { data: ids.map((id) => charge({ id, ...fields })), paging });
  const list = async () =>
    (await all(peer.client.list(period))).map((each) => each.map(({ acquirerId }) => acquirerId));

  test('is read page by page', async () => {
    peer.reply(page(['ch_1', 'ch_2'], { total: 3 }), page(['ch_3'], { total: '3' }));

    expect(await list()).toEqual([['ch_1', 'ch_2'], ['ch_3']]);
    expect(peer.asked.map(({ path, query }) => [path, query])).toEqual(
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

  test('is read as long as there is a next page, when nobody says how many there are', async () => {
    peer.reply(page(['ch_1'], { next: 'https://api.pagar.me/x' }), page(['ch_2'], {}));

    expect(await list()).toEqual([['ch_1'], ['ch_2']]);
  });

  test('ends with an empty page, however many were announced', async () => {
    peer.reply(page(['ch_1'], { total: 99 }), page([], { total: 99 }));

    expect(await list()).toEqual([['ch_1']]);
    expect(peer.asked).toHaveLength(2);
  });

  test.each([
    ['2026-11-20T00:00:00Z', ['ch_1']],
    ['2026-11-20T23:59:59.999Z', ['ch_1']],
    ['2026-11-21T00:00:00Z', undefined],
    ['2026-11-19T23:59:59Z', undefined],
    [null, ['ch_1']],
  ])('holds a charge of %s: %j', async (created_at, expected) => {
    peer.reply(page(['ch_1'], { total: 1 }, { created_at }));

    expect((await list())[0]).toEqual(expected);
  });

  test.each<[string, Reply]>([
    ['does not say whether there are more', json(200, { data: [charge()] })],
    ['holds what is no charge', json(200, { data: [charge(), {}], paging: { total: 2 } })],
    ['is refused', json(401, {})],
    ...useless,
  ])('is of no use when a page %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(list())).toBe(ERROR);
  });

  test.each(noAnswers)('is PROVIDER_UNAVAILABLE when the acquirer %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(list())).toBe(UNAVAILABLE);
  });
});

describe('an environment', () => {
  test('has its own acquirer', () => {
    expect(acquirers({ sandbox: peer.client })('sandbox')).toBe(peer.client);
  });

  test('without an acquirer is PROVIDER_UNAVAILABLE', async () => {
    const pay = async () => acquirers({ sandbox: peer.client })('production');

    expect(await refusalOf(pay())).toBe(UNAVAILABLE);
  });
});
