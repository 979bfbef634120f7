import { beforeAll, expect, test } from '@jest/globals';
import { type Bank, eventually } from '../../src/index.ts';
import type { Client } from './client.ts';
import type { Till } from './till.ts';
import type { Cast } from './world.ts';

export function testDisputes(cast: () => Cast, opened: () => Till): void {
  let till: Till;
  let bank: Bank;
  let merchant: Client;
  let operator: Client;

  beforeAll(() => {
    till = opened();
    ({ merchant, operator, bank } = cast());
  });

  test('a lost dispute takes the money from the merchant', async () => {
    const charge = await till.aPaidCharge(5_000);
    const before = await till.balance();

    const opened = await operator.post('/v1/admin/disputes', {
      chargeId: charge.id,
      reason: 'FRAUD',
      description: 'o titular não reconhece',
    });
    const notified = await till.receivedEvent('dispute.opened', charge.id);
    const evidence = await merchant.post(`/v1/disputes/${opened.data.id}/evidence`, {
      description: 'entregue e assinado',
      documents: ['https://loja.test/recibo.pdf'],
    });
    const reserved = Number(before.reservedBalance);
    await eventually(async () => expect((await till.balance()).reservedBalance).toBe(reserved + 5_000));
    const refund = await merchant.post(`/v1/charges/${charge.id}/refund`);
    const resolved = await operator.post(`/v1/admin/disputes/${opened.data.id}/resolve`, {
      outcome: 'CUSTOMER',
      resolution: 'o banco deu razão ao pagador',
    });

    expect(opened.status).toBe(201);
    expect(notified).toMatchObject({
      id: opened.data.id,
      chargeId: charge.id,
      amount: 5_000,
      status: 'OPEN',
    });
    expect(evidence.data.status).toBe('UNDER_REVIEW');
    expect([refund.status, refund.body.error?.code]).toEqual([409, 'CHARGE_NOT_REFUNDABLE']);
    expect(resolved.data.status).toBe('RESOLVED_CUSTOMER');
    expect(await till.receivedEvent('dispute.resolved', opened.data.id)).toMatchObject({
      status: 'RESOLVED_CUSTOMER',
    });
    expect((await merchant.get(`/v1/charges/${charge.id}`)).data).toMatchObject({
      status: 'REFUNDED',
      refundReason: 'dispute',
    });
    await eventually(async () => {
      const after = await till.balance();
      expect(after.reservedBalance).toBe(reserved);
      expect(Number(before.availableBalance) - Number(after.availableBalance)).toBe(5_000);
    });
  });

  test('a payer’s bank disputes a Pix, and the merchant wins', async () => {
    const charge = await till.aPaidCharge(7_000);
    const before = await till.balance();

    await bank.control(`/pix/${charge.txid}/dispute`, { reason: 'FRAUD' });

    const notified = await till.receivedEvent('dispute.opened', charge.id);
    expect(notified).toMatchObject({ amount: 7_000, reason: 'FRAUD' });
    await merchant.post(`/v1/disputes/${notified.id}/evidence`, { description: 'entregue' });
    const won = await operator.post(`/v1/admin/disputes/${notified.id}/resolve`, {
      outcome: 'MERCHANT',
      resolution: 'a entrega foi provada',
    });
    expect(won.data.status).toBe('RESOLVED_MERCHANT');
    expect((await merchant.get(`/v1/charges/${charge.id}`)).data.status).toBe('PAID');
    await eventually(async () =>
      expect((await till.balance()).availableBalance).toBe(before.availableBalance),
    );
  });

  test('a merchant wins a card dispute and refunds as quoted', async () => {
    const charge = await till.aPaidCard(6_000);
    const opened = await merchant.post(`/v1/sandbox/charges/${charge.id}/dispute`, { amount: 2_000 });
    await till.receivedEvent('dispute.opened', charge.id);
    const won = await merchant.post(`/v1/sandbox/disputes/${opened.data.id}/resolve`, {
      outcome: 'MERCHANT',
    });
    await till.receivedEvent('dispute.resolved', opened.data.id);

    const quote = await merchant.post('/v1/quotes', { type: 'refund', chargeId: charge.id, amount: 1_000 });
    const refund = await merchant.post(`/v1/charges/${charge.id}/refund`, { amount: 1_000 });

    expect([opened.status, won.data.status]).toEqual([200, 'RESOLVED_MERCHANT']);
    expect(quote.data.stoppedBy).toEqual([]);
    expect([refund.status, refund.data.status]).toEqual([200, 'REFUNDED']);
  });

  test('a chargeback above the balance leaves a debt', async () => {
    const charge = await till.aPaidCard(900_000);
    const before = await till.balance();

    await bank.control(`/cards/${charge.id}/chargeback`);
    const notified = await till.receivedEvent('dispute.opened', charge.id);

    await eventually(async () => {
      const after = await till.balance();
      const taken = Number(after.reservedBalance) + Number(after.disputeDebt);
      expect(taken - Number(before.reservedBalance)).toBe(900_000);
    });
    await operator.post(`/v1/admin/disputes/${notified.id}/resolve`, {
      outcome: 'CUSTOMER',
      resolution: 'o emissor manteve a contestação',
    });
    expect(await till.receivedEvent('dispute.resolved', notified.id)).toMatchObject({
      status: 'RESOLVED_CUSTOMER',
    });
  });
}
