import { expect } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { anOrder } from './client.ts';
import type { Cast } from './world.ts';

/**
 * Registers a shop's webhook for the demo merchant. Returns functions that take payments and read the
 * balance.
 */
export async function openTill({ merchant, openShop }: Cast) {
  const shop = await openShop();
  await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });

  async function aCardOrder(number: string, changes: object = {}) {
    const card = { paymentMethod: 'CARD', cardToken: await tokenOf(merchant, number), ...changes };
    return anOrder(card);
  }

  /** Calls `pay`, which creates and pays a charge, and waits until the ledger has recorded the payment. */
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

  async function receivedEvent(event: string, id: unknown): Promise<Record<string, unknown>> {
    const delivery = await shop.waitFor(({ body }) => {
      const { event: name, data } = JSON.parse(body.toString());
      return name === event && (data.id === id || data.chargeId === id);
    });
    return JSON.parse(delivery.body.toString()).data;
  }

  async function balance() {
    return (await merchant.get('/v1/balance')).data;
  }

  return { aCardOrder, credited, aPaidCharge, aPaidCard, receivedEvent, balance };
}

export type Till = Awaited<ReturnType<typeof openTill>>;
