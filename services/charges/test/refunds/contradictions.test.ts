import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually, refused } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { alarmsAbout } from '../support/alarms.ts';
import { startRefundWorld } from '../support/refund-world.ts';
import { comesTo, unmatchedOf } from '../support/unmatched.ts';

// The leases are long, so that the first order is sent within its lease even on a slow machine, and its
// refusal counts.
const world = worldOfFile(() =>
  startRefundWorld({ tuning: { leaseMs: 120_000, refundLeaseMs: 120_000, refundUnconfirmedMs: 600_000 } }),
);

const returns = () => world.provider.book.returns;
const notify = (endToEndId: string) => world.notify({ pix: [{ endToEndId }] });

test('an alarm about money without a charge names no merchant', async () => {
  world.provider.next('refund', refused);
  const { endToEndId } = world.provider.book.payKey(1234);
  await notify(endToEndId);
  const { id } = await comesTo(world, endToEndId, 'RETURN_REFUSED');
  const [{ id: returnId = '' } = {}] = world.provider.requestsFor(endToEndId, 'refund');
  returns().put(endToEndId, returnId, '12.34');

  await notify(endToEndId);

  const alarm = { subject: 'return', amount: 1234, chargeId: null, merchantId: null };
  await eventually(async () => expect(await alarmsAbout(world.client, id)).toMatchObject([alarm]));
});

describe('an order possibly sent by an older release', () => {
  test('does not let a later refusal end the return', async () => {
    const endToEndId = `E99999999${newId().replaceAll('-', '').slice(-23)}`;
    returns().receive(endToEndId, '25.00');
    world.provider.next('refund', refused);

    await world.database.query(
      `INSERT INTO unexpected_payments
         (id, end_to_end_id, environment, amount_cents, paid_at, cause, status, attempts, next_check_at)
       VALUES ($1, $2, 'sandbox', 2500, now(), 'UNKNOWN_CHARGE', 'RETURNING', 1, now())`,
      [newId(), endToEndId],
    );

    const failure = 'CobOperacaoInvalida';
    await eventually(async () =>
      expect(await unmatchedOf(world, endToEndId)).toMatchObject([
        { status: 'RETURNING', failure, attempts: 2 },
      ]),
    );
  });

  test('does not let a later refusal end a debited refund', async () => {
    const charge = await world.paidCharge();
    const { merchantId, environment } = charge.tenant;
    world.provider.next('refund', refused);

    await world.database.query(
      `INSERT INTO refunds
         (id, charge_id, merchant_id, environment, amount_cents, status, created_at, next_check_at)
       VALUES ($1, $2, $3, $4, 900, 'DEBITED', now(), now())`,
      [newId(), charge.id, merchantId, environment],
    );

    const failure = 'CobOperacaoInvalida';
    await eventually(async () =>
      expect(await charge.refunds()).toMatchObject([{ status: 'DEBITED', failure }]),
    );
    expect([await charge.announced(), charge.debited()]).toEqual([[], []]);
  });
});
