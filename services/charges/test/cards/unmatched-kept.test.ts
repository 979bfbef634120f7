import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { startCardWorld } from '../support/card-world.ts';

const world = worldOfFile(() => startCardWorld({ settings: { UNEXPECTED_PAYMENTS: 'hold' } }));

/**
 * Finds the charge if its next check is more than five minutes away. The test has made the charge due, so the
 * scheduler has then checked the charge.
 */
const RESTS = `SELECT 1 FROM charges WHERE external_id = $1 AND next_check_at > now() + interval '300 s'`;

/**
 * Waits until the scheduler has recorded the acquirer's approval. Expects that the scheduler does not return
 * the payment, although the time to repeat the charge's request has passed.
 */
async function staysPending(externalId: unknown): Promise<void> {
  await world.letPass(externalId, 3_600);
  await eventually(async () => {
    await world.letPass(externalId, 0);
    expect(await world.attemptsOf(externalId)).not.toMatchObject([{ acquirer_id: null }]);
  });
  await world.letPass(externalId, 0);
  await eventually(async () => expect(await world.database.query(RESTS, [externalId])).toHaveLength(1));
  await world.become(externalId, { status: 'PENDING', is_voiding: false });
}

/**
 * Resets a charge to the state of an older backup: it is PENDING, although it was paid and credited after the
 * backup.
 */
const BACK_TO_T = `
  WITH told AS (DELETE FROM outbox WHERE body::jsonb ->> 'aggregateId' = $1::text)
  UPDATE charges SET status = 'PENDING', paid_at = NULL, settles_at = NULL, acquirer_id = NULL,
  card_brand = NULL,
    card_last_digits = NULL, sequence = 0
  WHERE id = $1::uuid`;

async function creditedBeforeRestore() {
  const shop = world.newShop();
  const paid = await world.paidCharge(shop);
  const [row] = await world.database.query('SELECT paid_at, settles_at FROM charges WHERE id = $1', [
    paid.id,
  ]);
  await world.database.query(BACK_TO_T, [paid.id]);
  const payment = world.acquirer.book.ofOrder(paid.id)[0];
  return { shop, paid, payment, times: [row?.paid_at, row?.settles_at] };
}

async function pendingInList(): Promise<unknown[]> {
  const { data } = await world.operate('/charges?paymentMethod=CARD&status=PENDING&limit=100');
  return z
    .array(api.listAllCharges.data)
    .parse(data)
    .map((charge) => charge.externalId);
}

/** The statement of the runbook for a PENDING charge that the ledger has already credited. */
const COLLECTED = `
  UPDATE charges SET status = 'PAID', paid_at = $2, settles_at = $3, is_voiding = false,
  sequence = sequence + 1
  WHERE id = $1 AND status = 'PENDING'`;

test('stopped voids are listed; a payment restored to PAID stays', async () => {
  const lost = await world.unanswered();
  const { shop, paid, payment, times } = await creditedBeforeRestore();
  for (const externalId of [lost.externalId, paid.externalId]) await staysPending(externalId);
  const listed = await pendingInList();
  for (const { status, canceledAmount } of [lost.payment, payment].flatMap((each) => each ?? []))
    expect([status, canceledAmount]).toEqual(['paid', 0]);
  await world.database.query(COLLECTED, [paid.id, ...times]);

  const returning = await world.startReplica({}, { UNEXPECTED_PAYMENTS: 'return' });
  try {
    // Both replicas check the charges. If one replica postpones a charge, the other replica eventually checks
    // it.
    await eventually(async () => {
      for (const externalId of [lost.externalId, paid.externalId]) await world.letPass(externalId, 0);
      expect(await world.attemptsOf(lost.externalId)).toMatchObject([{ status: 'DECLINED' }]);
    });
  } finally {
    await returning.stop();
  }

  expect(listed).toEqual([paid.externalId, lost.externalId]);
  expect(lost.payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  expect(payment).toMatchObject({ status: 'paid', canceledAmount: 0 });
  const { cardBrand, cardLastDigits, paidAt } = paid;
  const { data } = await world.client.read(shop, paid.id);
  expect(data).toMatchObject({ status: 'PAID', cardBrand, cardLastDigits, paidAt });
  expect(await world.eventsOf(paid.id)).toEqual([]);
});

test('a payment with a stopped void is collected by a repetition', async () => {
  const { shop, paid, payment } = await creditedBeforeRestore();
  await staysPending(paid.externalId);

  const { status, data } = await world.payAnew(shop, paid.externalId);

  expect([status, api.createCharge.data.parse(data).status]).toEqual([200, 'PAID']);
  expect(payment).toMatchObject({ status: 'paid', canceledAmount: 0 });
  expect(await pendingInList()).not.toContain(paid.externalId);
});
