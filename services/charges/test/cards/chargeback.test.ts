import { describe, expect, test } from '@jest/globals';
import type { ChargeView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { startCardWorld } from '../support/card-world.ts';
import { codeOf } from '../support/client.ts';

const world = worldOfFile(() =>
  startCardWorld({
    // No ledger listens at this address, so a refund waits forever for its debit.
    settings: { LEDGER_URL: 'http://127.0.0.1:9' },
  }),
);

/** Inserts a requested refund that has not ended. */
async function beginRefund({ id }: ChargeView, { merchantId, environment }: Tenant, amount: number) {
  const refundId = newId();
  await world.database.query(
    `INSERT INTO refunds
       (id, charge_id, merchant_id, environment, amount_cents, status, created_at, next_check_at)
     VALUES ($1, $2, $3, $4, $5, 'REQUESTED', now(), now() + interval '1 hour')`,
    [refundId, id, merchantId, environment, amount],
  );
  return {
    async end() {
      const at = 'UPDATE refunds SET status = $2, accepted_at = now() WHERE id = $1';
      await world.database.query(at, [refundId, 'DONE']);
      await world.database.query(
        `UPDATE charges SET status = 'REFUNDED', refunded_cents = $2, refunded_at = now() WHERE id = $1`,
        [id, amount],
      );
    },
  };
}

describe('a chargeback callback', () => {
  test('opens one dispute with the acquirer’s own data', async () => {
    const { shop, charge } = await world.contestedCharge();

    const answer = await world.notify(charge.acquirerId, {
      type: 'charge.chargedback',
      data: {
        id: charge.acquirerId,
        code: newId(),
        amount: 1,
        chargeback: { amount: 1, reason: 'MENTIRA' },
        status: 'paid',
      },
    });

    expect([answer.status, answer.data]).toEqual([200, { received: 1 }]);
    expect((await world.client.charge(shop, charge.id)).status).toBe('DISPUTED');
    expect(await world.disputesOf(shop)).toMatchObject([
      { chargeId: charge.id, amount: 1900, reason: 'FRAUD', status: 'OPEN' },
    ]);
  });

  test('sent ten times to two replicas opens one dispute', async () => {
    const second = await world.startReplica();
    const { shop, charge } = await world.contestedCharge();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        world.notify(charge.acquirerId, undefined, i % 2 ? world.client : second.client),
      ),
    );
    const [dispute, ...more] = await world.database.query('SELECT id FROM disputes WHERE charge_id = $1', [
      charge.id,
    ]);

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(more).toEqual([]);
    expect(await world.disputesOf(shop)).toHaveLength(1);
    expect(await world.eventsOf(String(dispute?.id))).toMatchObject([{ type: 'dispute.opened' }]);
    await second.stop();
  });

  test('repeated after a won dispute opens no other', async () => {
    const { shop, charge } = await world.contestedCharge();
    await world.notify(charge.acquirerId);
    const [dispute] = await world.database.query('SELECT id FROM disputes WHERE charge_id = $1', [charge.id]);
    const decision = { outcome: 'MERCHANT', resolution: 'o titular reconheceu a compra' };
    await world.operate(`/disputes/${dispute?.id}/resolve`, decision);

    const { status } = await world.notify(charge.acquirerId);

    expect([status, (await world.client.charge(shop, charge.id)).status]).toEqual([200, 'PAID']);
    expect(await world.disputesOf(shop)).toMatchObject([{ id: dispute?.id, status: 'RESOLVED_MERCHANT' }]);
  });

  test('above the paid amount disputes the paid amount', async () => {
    const { shop, charge } = await world.contestedCharge({ amount: 99_999, reason: 'FRAUD' });

    await world.notify(charge.acquirerId);

    expect(await world.disputesOf(shop)).toMatchObject([{ amount: 2500 }]);
  });

  test('is refused during a refund and accepted afterwards', async () => {
    const { shop, charge } = await world.contestedCharge({ amount: 2500, reason: 'FRAUD' });
    const refund = await beginRefund(charge, shop, 1000);

    const early = await world.notify(charge.acquirerId);
    const meanwhile = await world.disputesOf(shop);
    await refund.end();
    const late = await world.notify(charge.acquirerId);

    expect([early.status, early.error?.code, meanwhile]).toEqual([409, 'REQUEST_IN_PROGRESS', []]);
    expect(late.status).toBe(200);
    expect(await world.disputesOf(shop)).toMatchObject([{ amount: 1500, status: 'OPEN' }]);
  });

  test('is refused during an operator’s dispute and accepted afterwards', async () => {
    const { shop, charge } = await world.contestedCharge({ amount: 2500, reason: 'FRAUD' });
    const notice = { chargeId: charge.id, amount: 100, reason: 'OTHER', description: 'o comprador reclamou' };
    const { data } = await world.operate('/disputes', notice);
    const { id } = z.object({ id: z.string() }).parse(data);

    const early = await world.notify(charge.acquirerId);
    await world.operate(`/disputes/${id}/resolve`, { outcome: 'MERCHANT', resolution: 'resolvido' });
    const late = await world.notify(charge.acquirerId);

    expect([early.status, early.error?.code, late.status]).toEqual([409, 'REQUEST_IN_PROGRESS', 200]);
    expect(await world.disputesOf(shop)).toMatchObject([{ amount: 2500, status: 'OPEN' }, { id }]);
  });

  test('is refused until the caller has collected the payment', async () => {
    const { shop, order, payment } = await world.unanswered();
    const acquirerId = payment?.id ?? '';
    await world.database.query('UPDATE charges SET acquirer_id = $2 WHERE external_id = $1', [
      order.externalId,
      acquirerId,
    ]);
    world.acquirer.book.chargeBack(acquirerId, { amount: 2500, reason: 'FRAUD' });

    const early = await world.notify(acquirerId);
    await world.client.create(shop, order);
    const late = await world.notify(acquirerId);

    expect([early.status, early.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect([late.status, await world.disputesOf(shop)]).toMatchObject([200, [{ amount: 2500 }]]);
  });

  test('with an unprintable id is a VALIDATION_ERROR', async () => {
    expect(await codeOf(world.notify('x', { data: { id: '\u0000' } }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('for a fully refunded charge is answered and opens no dispute', async () => {
    const { shop, charge } = await world.contestedCharge();
    await (await beginRefund(charge, shop, 2500)).end();

    const { status } = await world.notify(charge.acquirerId);

    expect([status, await world.disputesOf(shop)]).toEqual([200, []]);
  });

  test('may carry extra data about the buyer', async () => {
    const { shop, charge } = await world.contestedCharge();

    const { status } = await world.notify(charge.acquirerId, {
      id: 'hook_1',
      account: { id: 'acc_1' },
      type: 'charge.chargedback',
      created_at: '2026-11-20T12:00:00Z',
      data: {
        id: charge.acquirerId,
        code: 7,
        gateway_id: '3f1c',
        customer: { name: 'Maria', document: '33001184000163', phones: { mobile_phone: { number: '9' } } },
        last_transaction: { card: { first_six_digits: '400000', last_four_digits: '0010' } },
      },
    });

    expect([status, await world.disputesOf(shop)]).toMatchObject([200, [{ reason: 'FRAUD' }]]);
  });
});
