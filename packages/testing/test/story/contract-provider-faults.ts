import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { CARD } from './bank.ts';
import { become, cardOrder, made, newCharge, paidCharge, refuses, type Shop } from './contract-shop.ts';

/** Causes the errors that occur while the Pix provider is down, and then ends the fault. */
export async function walkProviderFaults({ merchant }: Shop): Promise<void> {
  const open = await newCharge(merchant);
  const paid = await paidCharge(merchant);
  const contested = await paidCharge(merchant);
  await made(merchant.post('/v1/sandbox/provider', { pix: 'down' }));

  await refuses('PROVIDER_UNAVAILABLE', merchant.delete(`/v1/charges/${open.id}`));
  await refuses('PROVIDER_UNAVAILABLE', merchant.post(`/v1/charges/${open.id}/simulate-payment`));
  await refuses('PROVIDER_UNAVAILABLE', merchant.post(`/v1/sandbox/charges/${open.id}/pay`, {}));
  const key = randomUUID();
  const dispute = () => merchant.post(`/v1/sandbox/charges/${contested.id}/dispute`, {}, key);
  await refuses('PROVIDER_UNAVAILABLE', dispute());
  const refund = () => merchant.post(`/v1/charges/${paid.id}/refund`, { amount: 100 });
  await eventually(() => refuses('PROVIDER_UNAVAILABLE', refund()));

  await made(merchant.post('/v1/sandbox/provider', { pix: 'ok' }));
  await made(dispute());
  await become(merchant, `/v1/charges/${contested.id}`, 'DISPUTED');
  await become(merchant, `/v1/charges/${paid.id}`, 'REFUNDED');
}

/** Moves the merchant's sandbox clock forward, and tries to move it back, which the platform refuses. */
export async function walkClock({ merchant }: Shop): Promise<void> {
  const { id } = await newCharge(merchant);
  const paidByCard = async () => made(merchant.post('/v1/charges', await cardOrder(merchant, CARD.approved)));
  const [receivablePaid, refunded] = [await paidByCard(), await paidByCard()];
  const receivable = async (charge: Record<string, unknown>, status: string) =>
    eventually(async () => {
      const { list } = await merchant.get(`/v1/receivables/items?status=${status}`);
      expect(list).toContainEqual(expect.objectContaining({ chargeId: charge.id, status }));
    });
  await receivable(receivablePaid, 'PENDING');
  await made(merchant.post(`/v1/charges/${refunded.id}/refund`));
  await receivable(refunded, 'TAKEN');

  await made(merchant.post('/v1/sandbox/clock', { advance: 'P1D' }));
  await become(merchant, `/v1/charges/${id}`, 'EXPIRED');
  await made(merchant.post('/v1/sandbox/clock', { advance: 'P30D' }));
  await receivable(receivablePaid, 'SETTLED');
  await refuses('INVALID_STATE', merchant.post('/v1/sandbox/clock', { at: new Date().toISOString() }));
}
