import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Bank, eventually, type FakeMerchant } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { demandAgreement, differencesToday } from './books.ts';
import { anOrder, type Client } from './client.ts';
import type { Cast } from './world.ts';

export function tellMoneyIn(cast: () => Cast): void {
  let world: Cast;
  let bank: Bank;
  let shop: FakeMerchant;
  let merchant: Client;
  let operator: Client;

  beforeAll(async () => {
    world = cast();
    ({ merchant, operator, bank } = world);
    shop = await world.openShop();
    await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });
  });

  async function aCardOrder(number: string, changes: object = {}) {
    const card = { paymentMethod: 'CARD', cardToken: await tokenOf(merchant, number), ...changes };
    return anOrder(card);
  }

  /** Makes a charge and waits until the books have heard of its payment. */
  async function credited(amount: number, pay: () => Promise<Record<string, unknown>>) {
    const before = Number((await balance()).totalEarned);
    const charge = await pay();
    await eventually(async () => expect((await balance()).totalEarned).toBe(before + amount));
    return charge;
  }

  function aPaidCharge(amount: number) {
    return credited(amount, async () => {
      const { data } = await merchant.post('/v1/charges', anOrder({ amount }));
      await merchant.post(`/v1/charges/${data.id}/simulate-payment`);
      return data;
    });
  }

  function aPaidCard(amount: number) {
    return credited(amount, async () => {
      const order = await aCardOrder(CARD.approved, { amount });
      return (await merchant.post('/v1/charges', order)).data;
    });
  }

  /** The data of an event as the shop heard of it. */
  async function heard(event: string, id: unknown): Promise<Record<string, unknown>> {
    const told = await shop.waitFor(({ body }) => {
      const { event: name, data } = JSON.parse(body.toString());
      return name === event && (data.id === id || data.chargeId === id);
    });
    return JSON.parse(told.body.toString()).data;
  }

  async function balance() {
    return (await merchant.get('/v1/balance')).data;
  }

  describe('cards', () => {
    test('a token from the buyer’s browser pays a charge at once; the money is pending for thirty days', async () => {
      const config = await merchant.get('/v1/charges/card-config');
      const before = await balance();

      const order = await aCardOrder(CARD.approved, { amount: 10_000, installments: 3 });
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
        qrCode: null,
        qrCodeBase64: null,
      });
      expect(again.data).toEqual(created.data);
      expect(await heard('charge.paid', created.data.id)).toMatchObject({ status: 'PAID', amount: 10_000 });
      await eventually(async () => {
        const { pendingBalance, availableBalance, totalEarned } = await balance();
        expect(Number(totalEarned) - Number(before.totalEarned)).toBe(10_000);
        expect(Number(pendingBalance) - Number(before.pendingBalance)).toBe(created.data.netAmount);
        expect(availableBalance).toBe(before.availableBalance);
      });
    });

    test('a declined card reads why, and its order number is free for another card', async () => {
      const order = await aCardOrder(CARD.insufficientFunds);

      const declined = await merchant.post('/v1/charges', order);
      const cardToken = await tokenOf(merchant, CARD.approved);
      const paid = await credited(order.amount, async () => {
        const { status, data } = await merchant.post('/v1/charges', { ...order, cardToken });
        return { ...data, httpStatus: status };
      });

      expect([declined.status, declined.body.error?.code]).toEqual([402, 'CARD_DECLINED']);
      expect(declined.body.error?.message).toContain('insufficient_funds');
      expect(paid).toMatchObject({ httpStatus: 201, status: 'PAID' });
    });
  });

  describe('refunds', () => {
    test('a Pix goes back to its payer, out of the balance', async () => {
      const charge = await aPaidCharge(8_000);
      const before = await balance();

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
      });
      expect([again.status, again.body.error?.code]).toEqual([409, 'CHARGE_NOT_REFUNDABLE']);
      const after = await balance();
      expect(Number(before.availableBalance) - Number(after.availableBalance)).toBe(3_000);
      expect(await heard('charge.refunded', charge.id)).toMatchObject({ refundedAmount: 3_000 });
    });

    test('a card payment goes back by default net, out of what is still pending', async () => {
      const charge = await aPaidCard(6_000);
      const before = await balance();

      const refunded = await merchant.post(`/v1/charges/${charge.id}/refund`);

      expect(refunded.data).toMatchObject({ status: 'REFUNDED', refundedAmount: charge.netAmount });
      const after = await balance();
      expect(Number(before.pendingBalance) - Number(after.pendingBalance)).toBe(charge.netAmount);
    });

    test('a refund the bank does not carry out is given back, and the operator sees why', async () => {
      const charge = await aPaidCharge(4_000);
      await bank.control(`/pix/${charge.txid}/refuse-refunds`);
      const before = await balance();

      const refused = await merchant.post(`/v1/charges/${charge.id}/refund`);

      expect([refused.status, refused.body.error?.code]).toEqual([409, 'CHARGE_NOT_REFUNDABLE']);
      expect((await merchant.get(`/v1/charges/${charge.id}`)).data.status).toBe('PAID');
      await eventually(async () => expect((await balance()).availableBalance).toBe(before.availableBalance));
      const story = await operator.get(`/v1/admin/charges/${charge.id}`);
      expect(story.data.refunds).toMatchObject([{ status: 'REFUSED', failure: expect.any(String) }]);
    });
  });

  describe('disputes', () => {
    test('an operator opens one; the merchant sends evidence; lost, the money is gone', async () => {
      const charge = await aPaidCharge(5_000);
      const before = await balance();

      const opened = await operator.post('/v1/admin/disputes', {
        chargeId: charge.id,
        reason: 'FRAUD',
        description: 'o titular não reconhece',
      });
      const told = await heard('dispute.opened', charge.id);
      const evidence = await merchant.post(`/v1/disputes/${opened.data.id}/evidence`, {
        description: 'entregue e assinado',
        documents: ['https://loja.test/recibo.pdf'],
      });
      const reserved = Number(before.reservedBalance);
      await eventually(async () => expect((await balance()).reservedBalance).toBe(reserved + 5_000));
      const refund = await merchant.post(`/v1/charges/${charge.id}/refund`);
      const resolved = await operator.post(`/v1/admin/disputes/${opened.data.id}/resolve`, {
        outcome: 'CUSTOMER',
        resolution: 'o banco deu razão ao pagador',
      });

      expect(opened.status).toBe(201);
      expect(told).toMatchObject({ id: opened.data.id, chargeId: charge.id, amount: 5_000, status: 'OPEN' });
      expect(evidence.data.status).toBe('UNDER_REVIEW');
      expect([refund.status, refund.body.error?.code]).toEqual([409, 'CHARGE_NOT_REFUNDABLE']);
      expect(resolved.data.status).toBe('RESOLVED_CUSTOMER');
      expect(await heard('dispute.resolved', opened.data.id)).toMatchObject({ status: 'RESOLVED_CUSTOMER' });
      expect((await merchant.get(`/v1/charges/${charge.id}`)).data).toMatchObject({
        status: 'REFUNDED',
        refundReason: 'dispute',
      });
      await eventually(async () => {
        const after = await balance();
        expect(after.reservedBalance).toBe(reserved);
        expect(Number(before.availableBalance) - Number(after.availableBalance)).toBe(5_000);
      });
    });

    test('a payer’s bank contests a Pix, and the merchant wins', async () => {
      const charge = await aPaidCharge(7_000);
      const before = await balance();

      await bank.control(`/pix/${charge.txid}/dispute`, { reason: 'FRAUD' });

      const told = await heard('dispute.opened', charge.id);
      expect(told).toMatchObject({ amount: 7_000, reason: 'FRAUD' });
      await merchant.post(`/v1/disputes/${told.id}/evidence`, { description: 'entregue' });
      const won = await operator.post(`/v1/admin/disputes/${told.id}/resolve`, {
        outcome: 'MERCHANT',
        resolution: 'a entrega foi provada',
      });
      expect(won.data.status).toBe('RESOLVED_MERCHANT');
      expect((await merchant.get(`/v1/charges/${charge.id}`)).data.status).toBe('PAID');
      await eventually(async () => expect((await balance()).availableBalance).toBe(before.availableBalance));
    });

    test('a card holder charges back more than there is: the rest is a debt, collected later', async () => {
      const charge = await aPaidCard(900_000);
      const before = await balance();

      await bank.control(`/cards/${charge.id}/chargeback`);
      const told = await heard('dispute.opened', charge.id);

      await eventually(async () => {
        const after = await balance();
        const taken = Number(after.reservedBalance) + Number(after.disputeDebt);
        expect(taken - Number(before.reservedBalance)).toBe(900_000);
      });
      await operator.post(`/v1/admin/disputes/${told.id}/resolve`, {
        outcome: 'CUSTOMER',
        resolution: 'o emissor manteve a contestação',
      });
      expect(await heard('dispute.resolved', told.id)).toMatchObject({ status: 'RESOLVED_CUSTOMER' });
    });
  });

  describe('money nobody expected', () => {
    test('late, second, of another amount or for no charge at all, it goes back to its payer', async () => {
      const [paidTwice, wrong, cancelled] = await Promise.all(
        [2_000, 2_100, 2_200].map(
          async (amount) => (await merchant.post('/v1/charges', anOrder({ amount }))).data,
        ),
      );
      await merchant.delete(`/v1/charges/${cancelled?.id}`);
      const before = await balance();

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
      const after = await balance();
      expect(Number(after.totalEarned) - Number(before.totalEarned)).toBe(2_000);
    });
  });

  test('in the end bank, charges and books agree to the cent', async () => {
    await demandAgreement(world.platform, bank, operator);
  });

  test('the day’s reconciliation lists what the bank has not taken although a dispute was lost, and no more', async () => {
    expect(await differencesToday(operator)).toEqual([
      expect.objectContaining({
        what: 'LOST',
        paymentMethod: 'PIX',
        provider: 0,
        charges: 5_000,
        ledger: 5_000,
      }),
    ]);
  });
}
