import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { answeringWith, eventually, holding, refused } from '@plataforma/testing';
import { alarmsAbout } from '../support/alarms.ts';
import { newTenant } from '../support/identity.ts';
import { namesOf, type PaidCharge, type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { comesTo, unexpectedOf } from '../support/unexpected.ts';

let world: RefundWorld;

beforeAll(async () => {
  // However slow the machine: the first order leaves within its lease, so that its refusal counts.
  const patient = { leaseMs: 120_000, refundPatienceMs: 120_000 };
  world = await startRefundWorld({ tuning: { ...patient, refundDoubtMs: 600_000 } });
});
afterAll(() => world.stop());

const returns = () => world.provider.book.returns;
const tellOf = (endToEndId: string) => world.tell({ pix: [{ endToEndId }] });

/** The provider carries out what it had refused. */
function carryOut(endToEndId: string, valor: string): void {
  const [{ id = '' } = {}] = world.provider.requestsFor(endToEndId, 'refund');
  returns().put(endToEndId, id, valor);
}

async function alarmed(subjectId: string, expected: Record<string, unknown>) {
  await eventually(async () =>
    expect(await alarmsAbout(world.client, subjectId)).toMatchObject([{ subjectId, ...expected }]),
  );
}

describe('a refund that was refused', () => {
  async function refusedRefund() {
    const charge = await world.paidCharge();
    world.provider.next('refund', refused);
    const { status } = await charge.refund({ amount: 900 });
    const [refund] = await charge.refunds();
    expect([status, refund?.status]).toEqual([409, 'REFUSED']);
    return { charge, id: refund?.id ?? '' };
  }
  const expected = ({ id, tenant }: PaidCharge) => ({
    ...{ subject: 'refund', kind: 'DONE_AFTER_FAILED', amount: 900, chargeId: id },
    ...{ ...tenant, settledAt: null },
  });

  test('and is done after all, as a notice says, raises an alarm and changes nothing', async () => {
    const { charge, id } = await refusedRefund();
    carryOut(charge.pix, '9.00');

    await tellOf(charge.pix);

    await alarmed(id, expected(charge));
    expect(await charge.now()).toMatchObject({ status: 'PAID', refundedAmount: null });
    expect(await charge.refunds()).toMatchObject([{ status: 'REFUSED' }]);
    expect(await charge.announced()).toEqual(['refund.refused']);
  });

  test('is looked at again for a day, so that nothing need be told', async () => {
    const { charge, id } = await refusedRefund();
    carryOut(charge.pix, '9.00');
    const rest = `SELECT extract(epoch FROM next_check_at - ended_at)::integer AS seconds FROM refunds WHERE id = $1`;
    const [resting] = await world.database.query(rest, [id]);

    await charge.handOver();

    await alarmed(id, expected(charge));
    expect(resting).toEqual({ seconds: 900 });
    const looks = () => world.provider.requestsFor(charge.pix, 'find-refund').length;
    const before = looks();
    await world.database.query("UPDATE refunds SET ended_at = ended_at - interval '1 day' WHERE id = $1", [
      id,
    ]);
    await charge.handOver();
    await eventually(() => expect(looks()).toBe(before + 1));
    const isWatched = 'SELECT is_watched AS "isWatched" FROM refunds WHERE id = $1';
    await eventually(async () =>
      expect(await world.database.query(isWatched, [id])).toEqual([{ isWatched: false }]),
    );
  });
});

test('a refund that is done in another amount is REFUNDED, and raises an alarm', async () => {
  const charge = await world.paidCharge();
  world.provider.next('refund', answeringWith({ valor: '8.99' }));

  const { status } = await charge.refund({ amount: 900 });

  const [refund] = await charge.refunds();
  expect([status, refund?.status]).toEqual([200, 'DONE']);
  await alarmed(refund?.id ?? '', { subject: 'refund', kind: 'ANOTHER_AMOUNT', amount: 899 });
});

test('a notice while a refund is at its provider starts no second order', async () => {
  const charge = await world.paidCharge();
  const held = holding();
  world.provider.next('refund', held.behaviour);
  const asking = charge.refund({ amount: 900 });
  await held.arrived;

  await tellOf(charge.pix);
  // The clock has had its turn.
  const other = await world.paidCharge();
  returns().willBe(other.pix, 'EM_PROCESSAMENTO');
  await other.refund();
  returns().end(other.pix, 'DEVOLVIDO');
  await other.becomes('DONE');
  const before = ['refund', 'find-refund'] as const;
  const asked = before.map((operation) => world.provider.requestsFor(charge.pix, operation).length);
  held.release();

  expect([asked, (await asking).status]).toEqual([[1, 0], 200]);
});

describe('a return', () => {
  /** Money that came too late for its charge, whose return is met by what `prepare` says. */
  async function late() {
    const tenant = newTenant();
    const { id, txid } = await world.client.newCharge(tenant, { amount: 2500 });
    await world.client.cancel(tenant, id);
    const endToEndId = world.provider.book.pay(txid, { insists: true })[0]?.endToEndId ?? '';
    await world.client.notify(txid);
    return { tenant, chargeId: id, endToEndId };
  }

  test('that was refused and is done after all raises an alarm, and stays RETURN_REFUSED', async () => {
    world.provider.next('refund', refused);
    const { tenant, chargeId, endToEndId } = await late();
    const { id } = await comesTo(world, endToEndId, 'RETURN_REFUSED');
    carryOut(endToEndId, '25.00');

    await tellOf(endToEndId);

    const kind = 'DONE_AFTER_FAILED';
    await alarmed(id, { subject: 'return', kind, amount: 2500, ...tenant, chargeId, settledAt: null });
    expect(await unexpectedOf(world, endToEndId)).toMatchObject([
      { status: 'RETURN_REFUSED', returnedAt: null },
    ]);
    expect(namesOf(await world.eventsOf(id))).toEqual(['unexpected_payment.received']);
  });

  test('of money for no charge is an alarm without a merchant', async () => {
    world.provider.next('refund', refused);
    const { endToEndId } = world.provider.book.payKey(1234);
    await tellOf(endToEndId);
    const { id } = await comesTo(world, endToEndId, 'RETURN_REFUSED');
    carryOut(endToEndId, '12.34');

    await tellOf(endToEndId);

    await alarmed(id, { subject: 'return', amount: 1234, chargeId: null, merchantId: null });
  });

  test('that is done in another amount is RETURNED, and raises an alarm', async () => {
    world.provider.next('refund', answeringWith({ valor: '1.00' }));
    const { endToEndId } = await late();

    const { id } = await comesTo(world, endToEndId, 'RETURNED');

    await alarmed(id, { subject: 'return', kind: 'ANOTHER_AMOUNT', amount: 100 });
  });
});

describe('an order that the release before may have sent', () => {
  test('is no first one: a return is not given up because this one is refused', async () => {
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
      expect(await unexpectedOf(world, endToEndId)).toMatchObject([
        { status: 'RETURNING', failure, attempts: 2 },
      ]),
    );
  });

  test('is no first one: a refund it has debited is not given up because this one is refused', async () => {
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
