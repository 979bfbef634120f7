import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Bank, eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { differencesToday, expectAgreement } from './books.ts';
import { anOrder, type Client } from './client.ts';
import { testDisputes } from './money-in-disputes.ts';
import { openTill, type Till } from './till.ts';
import type { Cast } from './world.ts';

export function testMoneyIn(cast: () => Cast): void {
  let world: Cast;
  let bank: Bank;
  let till: Till;
  let merchant: Client;
  let operator: Client;

  beforeAll(async () => {
    world = cast();
    ({ merchant, operator, bank } = world);
    till = await openTill(world);
  });

  describe('cards', () => {
    test('a card token pays a charge into the pending balance', async () => {
      const config = await merchant.get('/v1/charges/card-config');
      const before = await till.balance();

      const order = await till.aCardOrder(CARD.approved, { amount: 10_000, installments: 3 });
      const created = await merchant.post('/v1/charges', order);
      const again = await merchant.post('/v1/charges', order);

      expect(config.data).toEqual({
        publicKey: 'pk_sandbox_local',
        maxInstallments: 12,
        tokenizeUrl: `${world.platform.facts.sandboxPspUrl}/core/v5/tokens`,
        cardEnabled: true,
      });
      expect([created.status, again.status]).toEqual([201, 200]);
      expect(created.data).toMatchObject({
        paymentMethod: 'CARD',
        status: 'PAID',
        amount: 10_000,
        installments: 3,
        cardLastDigits: '0010',
        nsu: expect.stringMatching(/^\d+$/),
        authorizationCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
        acquirerId: expect.stringMatching(/^ch_/),
        qrCode: null,
        qrCodeBase64: null,
      });
      expect(again.data).toEqual(created.data);
      expect(await till.receivedEvent('charge.paid', created.data.id)).toMatchObject({
        status: 'PAID',
        amount: 10_000,
      });
      await eventually(async () => {
        const { pendingBalance, availableBalance, totalEarned } = await till.balance();
        expect(Number(totalEarned) - Number(before.totalEarned)).toBe(10_000);
        expect(Number(pendingBalance) - Number(before.pendingBalance)).toBe(created.data.netAmount);
        expect(availableBalance).toBe(before.availableBalance);
      });
    });

    test('a declined charge names the reason and allows another card', async () => {
      const order = await till.aCardOrder(CARD.insufficientFunds);

      const declined = await merchant.post('/v1/charges', order);
      const cardToken = await tokenOf(merchant, CARD.approved);
      const paid = await till.credited(order.amount, async () => {
        const { status, data } = await merchant.post('/v1/charges', { ...order, cardToken });
        return { ...data, httpStatus: status };
      });

      expect([declined.status, declined.body.error?.code]).toEqual([402, 'CARD_DECLINED']);
      expect(declined.body.error?.message).toContain('insufficient_funds');
      expect(paid).toMatchObject({ httpStatus: 201, status: 'PAID' });
    });
  });

  describe('refunds', () => {
    test('a Pix refund reduces the available balance', async () => {
      const charge = await till.aPaidCharge(8_000);
      const before = await till.balance();

      const refunded = await merchant.post(`/v1/charges/${charge.id}/refund`, {
        amount: 3_000,
        reason: 'faltou um item',
      });
      const again = await merchant.post(`/v1/charges/${charge.id}/refund`, { amount: 3_000 });

      expect(refunded.status).toBe(200);
      expect(refunded.data).toEqual({
        id: charge.id,
        status: 'REFUNDED',
        refundedAmount: 3_000,
        refundedAt: expect.any(String),
        refundReason: 'faltou um item',
        refund: expect.objectContaining({ status: 'REFUNDED', amount: 3_000 }),
      });
      expect([again.status, again.body.error?.code]).toEqual([409, 'CHARGE_NOT_REFUNDABLE']);
      const after = await till.balance();
      expect(Number(before.availableBalance) - Number(after.availableBalance)).toBe(3_000);
      expect(await till.receivedEvent('charge.refunded', charge.id)).toMatchObject({ refundedAmount: 3_000 });
    });

    test('a card refund returns the net amount from pending money', async () => {
      const charge = await till.aPaidCard(6_000);
      const before = await till.balance();

      const refunded = await merchant.post(`/v1/charges/${charge.id}/refund`);

      expect(refunded.data).toMatchObject({ status: 'REFUNDED', refundedAmount: charge.netAmount });
      const after = await till.balance();
      expect(Number(before.pendingBalance) - Number(after.pendingBalance)).toBe(charge.netAmount);
    });

    test('a refund that the bank refuses returns to the balance', async () => {
      const charge = await till.aPaidCharge(4_000);
      await bank.control(`/pix/${charge.txid}/refuse-refunds`);
      const before = await till.balance();

      const refused = await merchant.post(`/v1/charges/${charge.id}/refund`);

      expect([refused.status, refused.body.error?.code]).toEqual([409, 'REFUND_REFUSED']);
      expect((await merchant.get(`/v1/charges/${charge.id}`)).data.status).toBe('PAID');
      await eventually(async () =>
        expect((await till.balance()).availableBalance).toBe(before.availableBalance),
      );
      const story = await operator.get(`/v1/admin/charges/${charge.id}`);
      expect(story.data.refunds).toMatchObject([{ status: 'REFUSED', failure: expect.any(String) }]);
    });
  });

  describe('disputes', () => testDisputes(cast, () => till));

  describe('unexpected payments', () => {
    test('are returned when late, duplicate, wrong or without a charge', async () => {
      const [paidTwice, wrong, cancelled] = await Promise.all(
        [2_000, 2_100, 2_200].map(
          async (amount) => (await merchant.post('/v1/charges', anOrder({ amount }))).data,
        ),
      );
      await merchant.delete(`/v1/charges/${cancelled?.id}`);
      const before = await till.balance();

      await bank.control(`/pix/${paidTwice?.txid}/pay`, { times: 2 });
      await bank.control(`/pix/${wrong?.txid}/pay`, { amount: 2_099 });
      await bank.control(`/pix/${cancelled?.txid}/pay`);
      const { pixKey } = await world.platform.providerAccount();
      await bank.control('/pix/pay', { pixKey, amount: 1_234 });

      await eventually(
        async () => {
          const { list } = await operator.get('/v1/admin/unexpected-payments?limit=100');
          const causes = list.map(({ cause, status, amount }) => [cause, status, amount]).sort();
          expect(causes).toEqual([
            ['DUPLICATE', 'RETURNED', 2_000],
            ['LATE', 'RETURNED', 2_200],
            ['UNKNOWN_CHARGE', 'RETURNED', 1_234],
            ['WRONG_AMOUNT', 'RETURNED', 2_099],
          ]);
        },
        { timeoutMs: 60_000 },
      );
      const after = await till.balance();
      expect(Number(after.totalEarned) - Number(before.totalEarned)).toBe(2_000);
    });
  });

  test('in the end bank, charges and books agree to the cent', async () => {
    await expectAgreement(world.platform, bank, operator);
  });

  test('the day’s reconciliation finds no difference after a lost dispute', async () => {
    await eventually(async () => expect(await differencesToday(operator)).toEqual([]));
  });
}
