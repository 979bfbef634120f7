import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { anOrder, type Client, clientOf, openAccount } from './client.ts';
import type { Cast } from './world.ts';

const DAY_MS = 86_400_000;
/** Returns the number of days by which a time is after the real current time. */
const daysAhead = (time: unknown) => Math.round((Date.parse(String(time)) - Date.now()) / DAY_MS) + 0;

/**
 * Tests a sandbox clock that the merchant moves forward. The tests use a new merchant, and each test
 * continues with the state that the previous test left.
 */
export function testMovedClock(cast: () => Cast): void {
  let merchant: Client;

  beforeAll(async () => {
    ({ merchant } = await openAccount(clientOf(cast().platform.facts.baseUrl)));
  });

  const advance = (by: string) => merchant.post('/v1/sandbox/clock', { advance: by }, randomUUID());
  const read = async (id: unknown) => (await merchant.get(`/v1/charges/${id}`)).data;
  const balance = async () => (await merchant.get('/v1/balance')).data;
  const created = async (changes: object) => (await merchant.post('/v1/charges', anOrder(changes))).data;

  test('an advance of a month expires charges and settles cards', async () => {
    const unpaid = await created({ expiresIn: 3_600 });
    const cardToken = await tokenOf(merchant, CARD.approved);
    const card = await created({ amount: 10_000, paymentMethod: 'CARD', cardToken });
    await eventually(async () => expect(await balance()).toMatchObject({ pendingBalance: card.netAmount }));

    const moved = await advance('P31D');

    expect([moved.status, moved.data]).toMatchObject([200, { aheadSeconds: 31 * 86_400, waitingFor: [] }]);
    expect(await read(unpaid.id)).toMatchObject({ status: 'EXPIRED' });
    expect(await balance()).toMatchObject({ availableBalance: card.netAmount, pendingBalance: 0 });
    const { data: shown } = await merchant.get('/v1/sandbox/clock');
    expect([shown.waitingFor, daysAhead(shown.now)]).toEqual([[], 31]);
  });

  test('later payments and disputes have the advanced time', async () => {
    const { id, createdAt } = await created({ amount: 5_000 });
    await merchant.post(`/v1/charges/${id}/simulate-payment`);
    const { status, paidAt } = await read(id);
    expect([status, daysAhead(createdAt), daysAhead(paidAt)]).toEqual(['PAID', 31, 31]);
    const row = await eventually(async () => {
      const { list } = await merchant.get('/v1/statement?limit=1');
      expect(list[0]).toMatchObject({ chargeId: id });
      return list[0];
    });
    expect(daysAhead(row?.createdAt)).toBe(31);

    const { data: contested } = await merchant.post(`/v1/sandbox/charges/${id}/dispute`, { reason: 'FRAUD' });
    expect([daysAhead(contested.createdAt), daysAhead(contested.deadline)]).toEqual([31, 38]);
    await advance('P8D');
    const late = await merchant.post(`/v1/disputes/${contested.id}/evidence`, { description: 'entregue' });
    expect([late.status, late.body.error?.code]).toEqual([409, 'INVALID_STATE']);
    const { data: ended } = await merchant.post(`/v1/sandbox/disputes/${contested.id}/resolve`, {
      outcome: 'MERCHANT',
    });
    expect(daysAhead(ended.resolvedAt)).toBe(39);
  });

  test('refunds, withdrawals and closings have the advanced time', async () => {
    const { id } = await created({ amount: 4_000 });
    await merchant.post(`/v1/charges/${id}/simulate-payment`);
    const refunded = await eventually(async () => {
      const { data } = await merchant.post(`/v1/charges/${id}/refund`, { amount: 4_000 });
      expect(data).toMatchObject({ status: 'REFUNDED' });
      return data;
    });
    const { data: withdrawal } = await merchant.post(
      '/v1/withdrawals',
      { amount: 1_000, pixKey: 'chave@sandbox.test', pixKeyType: 'EMAIL' },
      randomUUID(),
    );
    const { data: moved } = await advance('P30D');
    const paid = await eventually(async () => {
      const { data } = await merchant.get(`/v1/withdrawals/${withdrawal.id}`);
      expect(data).toMatchObject({ status: 'COMPLETED' });
      return data;
    });

    const [refund] = Object((await read(id)).refunds);
    expect([refunded.refundedAt, refund.requestedAt, refund.refundedAt].map(daysAhead)).toEqual([39, 39, 39]);
    expect([daysAhead(withdrawal.createdAt), daysAhead(paid.completedAt)]).toEqual([39, expect.any(Number)]);
    expect(daysAhead(paid.completedAt)).toBeGreaterThanOrEqual(39);
    expect(daysAhead(moved.now)).toBe(69);
    const { data } = await merchant.get('/v1/statement/closings');
    const closings = Object(data.closings);
    expect(daysAhead(closings.at(-1).endsAt)).toBeGreaterThanOrEqual(67);
    expect(closings.at(-1).closingBalance).toBe((await balance()).availableBalance);
  });
}
