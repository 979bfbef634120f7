import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Bank, eventually } from '../../src/index.ts';
import { CARD, tokenOf } from './bank.ts';
import { differencesToday, expectAgreement } from './books.ts';
import { anOrder, type Client } from './client.ts';
import { insist } from './insist.ts';
import type { Cast } from './world.ts';

const operations = ['pix.create', 'pix.read', 'pix.refund', 'card.charge', 'card.refund'];

export function testMisbehavingProvider(cast: () => Cast): void {
  let world: Cast;
  let bank: Bank;
  let merchant: Client;
  let operator: Client;

  beforeAll(() => {
    world = cast();
    ({ merchant, operator, bank } = world);
  });

  afterEach(() => bank.heals());

  async function statusOf(id: unknown): Promise<unknown> {
    return (await merchant.get(`/v1/charges/${id}`)).data.status;
  }

  /** Returns all charges with this external id. A second charge would be a duplicate. */
  async function chargesOf(externalId: string) {
    return (await operator.get(`/v1/admin/charges?search=${externalId}`)).list;
  }

  async function payByPix(order: ReturnType<typeof anOrder>): Promise<void> {
    const created = await insist(() => merchant.post('/v1/charges', order));
    const again = await merchant.post('/v1/charges', order);

    expect(created.body).toMatchObject({ success: true });
    expect([again.data.id, again.data.txid]).toEqual([created.data.id, created.data.txid]);
    await bank.control(`/pix/${created.data.txid}/pay`);
    await eventually(async () => expect(await statusOf(created.data.id)).toBe('PAID'));
    expect(await chargesOf(order.externalId)).toHaveLength(1);
  }

  async function payByCard(): Promise<void> {
    const cardToken = await tokenOf(merchant, CARD.approved);
    const order = anOrder({ paymentMethod: 'CARD', cardToken });

    const created = await insist(() => merchant.post('/v1/charges', order));

    expect(created.data.status).toBe('PAID');
    expect(await chargesOf(order.externalId)).toHaveLength(1);
  }

  async function refund(id: unknown): Promise<void> {
    const answer = await insist(() => merchant.post(`/v1/charges/${id}/refund`));
    expect([200, 202, 409]).toContain(answer.status);
    await eventually(async () => expect(await statusOf(id)).toBe('REFUNDED'));
  }

  async function aPixOf(amount: number) {
    const order = anOrder({ amount });
    return (await insist(() => merchant.post('/v1/charges', order))).data;
  }

  async function aPaidPix() {
    const { id } = await aPixOf(1_900);
    await insist(() => merchant.post(`/v1/charges/${id}/simulate-payment`));
    return id;
  }

  async function aPaidCard() {
    const cardToken = await tokenOf(merchant, CARD.approved);
    const order = anOrder({ paymentMethod: 'CARD', cardToken });
    return (await insist(() => merchant.post('/v1/charges', order))).data.id;
  }

  describe('with the fault', () => {
    test.each(['reset', 'error500', 'garbage', 'done_then_500', 'timeout'])(
      '%s leaves no payment or refund undecided',
      async (fault) => {
        const [pix, card] = [await aPaidPix(), await aPaidCard()];
        for (const operation of operations) await bank.breaks(operation, fault, 2);

        await Promise.all([payByPix(anOrder()), payByCard(), refund(pix), refund(card)]);
      },
    );

    test('of a missing callback still has the charge paid', async () => {
      const { id, txid } = await aPixOf(3_300);

      await bank.control(`/pix/${txid}/pay`, { notify: false });

      await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
    });
  });

  test('in the end bank, charges and books agree to the cent', async () => {
    await expectAgreement(world.platform, bank, operator);
    expect(await differencesToday(operator)).toEqual([]);
  });
}
