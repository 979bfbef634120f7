import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCheckoutWorld } from './support/checkout-world.ts';
import { disputeOf } from './support/dispute.ts';
import { anonymousHeader, newTenant } from './support/identity.ts';
import { insiderOf } from './support/insider.ts';
import { startRefundWorld } from './support/refund-world.ts';

/** Leases and intervals so long that the service works on a row only when the test makes the row due. */
const SLOW = { leaseMs: 30_000, readListsEveryMs: 3_600_000, firstPollMs: 3_600_000 };
const world = worldOfFile(() => startRefundWorld({ tuning: SLOW }));
const insider = insiderOf(world);
const shops = worldOfFile(() => startCheckoutWorld({ tuning: SLOW }));
const thief = insiderOf(shops);

const isRefused = ({ status }: { status: number }) => status === 404 || status === 409;

const UNSENT = `
  UPDATE unexpected_payments SET attempts = 0, attempts_before = 0, ordered_at = NULL, failure = NULL,
    next_check_at = now() + interval '1 day', lease_token = NULL, lease_until = NULL
  WHERE end_to_end_id = $1 AND lease_token IS NULL RETURNING id`;

/** Makes a payment that arrives too late for its charge, and whose return waits. */
async function waitingReturn() {
  const tenant = newTenant('production');
  const { id, txid } = await world.client.newCharge(tenant);
  await world.client.cancel(tenant, id);
  const pix = world.provider.book.pay(txid, { insists: true })[0]?.endToEndId ?? '';
  world.provider.always('refund', error500);
  await world.client.notify(txid);
  const row = await eventually(async () => {
    const attempted = 'SELECT FROM unexpected_payments WHERE end_to_end_id = $1 AND attempts > 0';
    expect(await insider.query(attempted, [pix])).toHaveLength(1);
    const [unsent] = await world.database.query<{ id: string }>(UNSENT, [pix]);
    if (!unsent) throw new Error('the return is claimed');
    return unsent;
  });
  world.provider.always('refund');
  const sent = () => world.provider.requestsFor(pix, 'refund').length;
  return { tenant, pix, id: row.id, sent, before: sent() };
}

describe('an unmatched payment', () => {
  test('whose row was changed in the database is not returned', async () => {
    const { id, pix, sent, before } = await waitingReturn();
    for await (const flip of insider.flips('unexpected_payments', id)) {
      const flipped = await insider.contents('unexpected_payments', id);
      if (flipped.status === 'RETURNING' || flipped.is_watched)
        await insider.letSchedulerTry('unexpected_payments', id);
      expect([flip, await insider.contents('unexpected_payments', id)]).toEqual([flip, flipped]);
    }
    expect(sent()).toBe(before);

    await insider.letSchedulerTry('unexpected_payments', id);
    await eventually(async () =>
      expect(await insider.contents('unexpected_payments', id)).toMatchObject({ status: 'RETURNED' }),
    );
    expect(world.provider.book.returns.of(pix)).toHaveLength(1);
  });

  test('that did not arrive is not returned', async () => {
    const { id } = await waitingReturn();
    const paid = await world.paidCharge();
    const forged = { id: newId(), end_to_end_id: paid.pix };
    for (const seal of [{ seal: null }, {}]) {
      await insider.forge('unexpected_payments', id, { ...forged, ...seal });
      await insider.letSchedulerTry('unexpected_payments', forged.id);
      expect(paid.returned()).toEqual([]);
      await world.database.query('DELETE FROM unexpected_payments WHERE id = $1', [forged.id]);
    }
  });
});

describe('a dispute', () => {
  const resolve = (id: string) =>
    world.operate(`/disputes/${id}/resolve`, { outcome: 'MERCHANT', resolution: 'Entrega comprovada' });
  const evidence = { description: 'A mercadoria foi entregue.', documents: [] };

  test('whose row was changed in the database gets no evidence and no decision', async () => {
    const [charge] = [await world.paidCharge(), await world.paidCharge()];
    const { id } = disputeOf(await world.dispute(charge.id));
    const before = await world.eventsOf(id);
    for await (const flip of insider.flips('disputes', id)) {
      const flipped = await insider.contents('disputes', id);
      const sent = await world.call(charge.tenant, `/v1/disputes/${id}/evidence`, evidence);
      expect([flip, [sent, await resolve(id)].map(isRefused)]).toEqual([flip, [true, true]]);
      expect([flip, await insider.contents('disputes', id)]).toEqual([flip, flipped]);
    }
    expect(await world.eventsOf(id)).toEqual(before);
    expect(await charge.now()).toMatchObject({ status: 'DISPUTED' });

    expect(await resolve(id)).toMatchObject({ status: 200 });
  });

  test('that nobody opened is not decided', async () => {
    const [charge, sale] = [await world.paidCharge(), await world.paidCharge()];
    const { id } = disputeOf(await world.dispute(charge.id));
    const forged = { id: newId(), charge_id: sale.id, merchant_id: sale.tenant.merchantId };
    for (const seal of [{ seal: null }, {}]) {
      await insider.forge('disputes', id, { ...forged, ...seal });
      expect(isRefused(await resolve(forged.id))).toBe(true);
      expect([await sale.now(), await world.eventsOf(forged.id)]).toMatchObject([{ status: 'PAID' }, []]);
      await world.database.query('DELETE FROM disputes WHERE id = $1', [forged.id]);
    }
  });
});

describe('a buyer pays nothing', () => {
  test('at a link whose row was changed in the database', async () => {
    const { shop, link, buyer } = await shops.visited({ amount: 2500, uses: 3 });
    const change = () => shops.callAs(shop, `PATCH /v1/payment-links/${link.id}`, { description: 'Outro' });
    for await (const flip of thief.flips('payment_links', link.id)) {
      const flipped = await thief.contents('payment_links', link.id);
      const answers = [await shops.visit(link.slug), await buyer.byPix(), await change()];
      expect([flip, answers.map(isRefused)]).toEqual([flip, [true, true, true]]);
      expect([flip, await thief.contents('payment_links', link.id)]).toEqual([flip, flipped]);
    }
    expect(await shops.chargesOf(link.id)).toEqual([]);

    expect(await buyer.byPix()).toMatchObject({ status: 200, data: { state: 'PIX' } });
    expect(await change()).toMatchObject({ status: 200 });
  });

  test('in a visit whose row was changed in the database', async () => {
    const [{ link, buyer }] = [await shops.visited(), await shops.visited()];
    for await (const flip of thief.flips('checkouts', buyer.id)) {
      const answers = [await buyer.byPix(), await buyer.openForm()];
      expect([flip, answers.map(isRefused)]).toEqual([flip, [true, true]]);
    }
    expect(await shops.chargesOf(link.id)).toEqual([]);

    expect(await buyer.byPix()).toMatchObject({ status: 200, data: { state: 'PIX' } });
  });

  test('for the charge of a different visit', async () => {
    const [own, other] = [await shops.visited(), await shops.visited()];
    for (const { buyer } of [own, other]) await buyer.byPix();
    const [[charge], [forged]] = [await shops.chargesOf(own.link.id), await shops.chargesOf(other.link.id)];
    const setCharge = 'UPDATE checkouts SET charge_id = $2 WHERE id = $1';
    await thief.query(setCharge, [own.buyer.id, forged?.id]);

    const shown = await shops.client.send(`/v1/checkouts/${own.buyer.id}`, {
      method: 'GET',
      headers: anonymousHeader(),
    });
    expect([shown, await own.buyer.byPix()].map(isRefused)).toEqual([true, true]);

    await thief.query(setCharge, [own.buyer.id, charge?.id]);
    expect(await own.buyer.byPix()).toMatchObject({ status: 200, data: { charge: { id: charge?.id } } });
  });
});
