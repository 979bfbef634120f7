import { expect } from '@jest/globals';
import { doneThenReset, eventually } from '@plataforma/testing';
import { startCardWorld } from './card-world.ts';

/** How long an approved payment waits for the same request. */
export const HORIZON_SECONDS = 15 * 60;

/** A clock that looks often at payments whose outcome no answer has told. */
export async function startUnheardWorld() {
  const world = await startCardWorld({ tuning: { leaseMs: 300 } });

  /** A payment that was taken, or not, while its caller was told of nothing. */
  async function unheard(fate: 'paid' | 'failed' | 'processing', fault = doneThenReset) {
    const shop = world.newShop();
    const card = world.newCard({ fate, returnCode: '51' });
    const order = world.orderWith(card);
    world.acquirer.next('pay', fault);
    await world.client.create(shop, order);
    const [attempt] = await world.attemptsOf(order.externalId);
    const id = attempt?.id ?? '';
    return { shop, card, order, id, payment: world.acquirer.book.ofCard(card)[0] };
  }

  const become = (externalId: unknown, expected: Record<string, unknown>) =>
    eventually(async () => expect(await world.attemptsOf(externalId)).toMatchObject([expected]));

  return {
    ...world,
    unheard,
    become,
    /** The clock has looked at it, and will not again for a while. */
    async restsAWhile(externalId: unknown): Promise<void> {
      const resting = `SELECT 1 FROM charges WHERE external_id = $1 AND next_check_at > now() + interval '10 s'`;
      await eventually(async () => expect(await world.database.query(resting, [externalId])).toHaveLength(1));
    },
    /** One that was approved, as the clock has found out. */
    async noted() {
      const story = await unheard('paid');
      await world.letPass(story.order.externalId, 0);
      await become(story.order.externalId, { status: 'PENDING', acquirer_id: story.payment?.id });
      return story;
    },
  };
}

export type UnheardWorld = Awaited<ReturnType<typeof startUnheardWorld>>;
