import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bank, eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { expectAgreement } from './books.ts';
import { anOrder, type Client, clientOf, openAccount } from './client.ts';
import { insist } from './insist.ts';
import type { Cast } from './world.ts';

export function testProviderFaults(cast: () => Cast): void {
  let world: Cast;
  let bank: Bank;
  let merchant: Client;
  let live: Client;
  /**
   * A client with a sandbox key of a second merchant. `merchant` and `live` are clients of the demo merchant.
   */
  let other: Client;

  beforeAll(async () => {
    world = cast();
    ({ merchant, bank } = world);
    const { baseUrl, demo } = world.platform.facts;
    live = clientOf(baseUrl, { key: demo.liveKey });
    ({ merchant: other } = await openAccount(clientOf(baseUrl)));
  });

  afterEach(() => turns({ pix: 'ok', card: 'ok', payout: 'ok' }));

  const turns = (faults: object) => merchant.post('/v1/sandbox/provider', faults);
  const charging = (client: Client) => client.post('/v1/charges', anOrder());
  const saidBy = ({ status, body }: Awaited<ReturnType<Client['post']>>) => [status, body.error?.code];

  async function paying(amount: number, pixKey: string = randomUUID()) {
    const { data } = await merchant.post('/v1/charges', anOrder({ amount: amount + 1_000 }));
    await merchant.post(`/v1/charges/${data.id}/simulate-payment`);
    const pixKeyType = pixKey.includes('@') ? 'EMAIL' : 'EVP';
    return eventually(async () => {
      const created = await merchant.post('/v1/withdrawals', { amount, pixKey, pixKeyType });
      expect(created.status).toBe(201);
      return created.data;
    });
  }

  const become = (id: unknown, status: string) =>
    eventually(async () => expect((await merchant.get(`/v1/withdrawals/${id}`)).data.status).toBe(status));

  test('are off by default, per provider and unavailable in production', async () => {
    const before = await merchant.get('/v1/sandbox/provider');
    const changed = await turns({ card: 'slow' });
    const empty = await turns({});

    expect(before.data).toEqual({ pix: 'ok', card: 'ok', payout: 'ok', until: null });
    expect(changed.data).toEqual({ pix: 'ok', card: 'slow', payout: 'ok', until: expect.any(String) });
    expect((await merchant.get('/v1/sandbox/provider')).data).toEqual(changed.data);
    expect((await other.get('/v1/sandbox/provider')).data).toEqual(before.data);
    expect(saidBy(empty)).toEqual([400, 'VALIDATION_ERROR']);
    expect(saidBy(await live.post('/v1/sandbox/provider', { pix: 'down' }))).toEqual([403, 'SANDBOX_ONLY']);
  });

  describe('of one merchant’s Pix provider', () => {
    test('leave only that merchant’s charges without a code', async () => {
      await turns({ pix: 'down' });
      const order = anOrder();

      const refused = await merchant.post('/v1/charges', order);
      const others = [await charging(other), await charging(live)];
      await turns({ pix: 'ok' });
      const created = await merchant.post('/v1/charges', order);

      expect(saidBy(refused)).toEqual([503, 'PROVIDER_UNAVAILABLE']);
      expect(others.map(({ status }) => status)).toEqual([201, 201]);
      expect([created.status < 300, created.data.status]).toEqual([true, 'PENDING']);
      expect(created.data.qrCode).not.toBeNull();
    });

    test.each(['down', 'slow'])(
      'delay no other merchant while the provider is %s',
      async (state) => {
        await turns({ pix: state });

        const crowd = Promise.all(Array.from({ length: 120 }, () => charging(merchant)));
        const others = [];
        for (let round = 0; round < 10; round += 1) others.push(await charging(other), await charging(live));

        expect(others.map(({ status }) => status)).toEqual(Array(20).fill(201));
        const refused = (await crowd).filter(({ status }) => status !== 201).map(saidBy);
        expect(refused.length).toBeGreaterThan(0);
        expect(new Set(refused.map(([status]) => status))).toEqual(new Set([503]));
        expect(await charging(other)).toMatchObject({ status: 201 });
      },
      90_000,
    );
  });

  describe('of providers whose answers are lost', () => {
    test('repeat no charge, card payment, refund or withdrawal', async () => {
      const { id: withdrawal } = await paying(5_000, 'hold@sandbox.test');
      await turns({ pix: 'unknown', card: 'unknown', payout: 'unknown' });
      const cardToken = await tokenOf(merchant, CARD.approved);
      const byCard = anOrder({ paymentMethod: 'CARD', cardToken });
      const order = anOrder();

      const lost = await merchant.post('/v1/charges', order);
      const pix = await insist(() => merchant.post('/v1/charges', order));
      const card = await insist(() => merchant.post('/v1/charges', byCard));
      const refunds = await insist(() => merchant.post(`/v1/charges/${card.data.id}/refund`));
      await merchant.post(`/v1/sandbox/withdrawals/${withdrawal}/approve`);

      expect([saidBy(lost), pix.data.status]).toEqual([[503, 'PROVIDER_UNAVAILABLE'], 'PENDING']);
      expect([card.data.status, [200, 202, 409]]).toEqual(['PAID', expect.arrayContaining([refunds.status])]);
      await become(withdrawal, 'COMPLETED');
      const statusNow = async () => (await merchant.get(`/v1/charges/${card.data.id}`)).data.status;
      await eventually(async () => expect(await statusNow()).toBe('REFUNDED'));
    }, 90_000);
  });

  describe('of a payout provider set to `held`', () => {
    test.each([
      ['complete', 'COMPLETED'],
      ['fail', 'FAILED'],
      ['reject', 'REJECTED'],
    ])('keep a withdrawal PENDING until `%s` makes it %s', async (step, status) => {
      await turns({ payout: 'held' });
      const { id } = await paying(3_000);
      const waitingFor = async () => (await merchant.get(`/v1/withdrawals/${id}`)).data.waitingFor;
      await eventually(async () => expect(await waitingFor()).toMatchObject({ what: 'approval' }));

      const answer = await merchant.post(`/v1/sandbox/withdrawals/${id}/${step}`);

      expect(answer.status).toBe(200);
      await become(id, status);
    });
  });

  test('in the end bank, platform and books agree', async () => {
    await expectAgreement(world.platform, bank, world.operator);
  });
}
