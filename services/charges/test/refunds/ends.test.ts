import { describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import { error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { codeOf, NO_CARD_NAMES } from '../support/client.ts';
import { type PaidCharge, sharedRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

const returns = () => world.provider.book.returns;
const announcedAs = (charge: PaidCharge) => world.eventsOf(charge.id).then((events) => events.slice(1));

describe('a refund accepted by its provider', () => {
  test('is PROCESSING until it is done, and announced once', async () => {
    const charge = await world.paidCharge();
    returns().willBe(charge.pix, 'EM_PROCESSAMENTO');

    const { status, data } = await charge.refund({ amount: 900, reason: 'Não serviu' });
    const accepted = await charge.refunds();
    const [meanwhile, announced] = [await charge.now(), await charge.announced()];
    returns().end(charge.pix, 'DEVOLVIDO');

    const [refund] = accepted;
    const requestedAt = expect.any(String);
    expect(status).toBe(202);
    expect(data).toEqual({
      id: charge.id,
      status: 'PAID',
      refund: { id: refund?.id, status: 'PROCESSING', amount: 900, requestedAt, waitingFor: null },
    });
    expect(accepted).toMatchObject([{ status: 'ACCEPTED', failure: null }]);
    expect(meanwhile).toMatchObject({ status: 'PAID', refundedAmount: null, refundedAt: null });
    const stored = {
      id: refund?.id,
      amount: 900,
      reason: 'Não serviu',
      origin: 'MERCHANT',
      requestedAt,
      ...{ waitingFor: null, endToEndId: charge.returned()[0]?.rtrId },
    };
    const open = { status: 'PROCESSING', refundedAt: null, failureReason: null };
    expect(meanwhile.refunds).toEqual([{ ...stored, ...open }]);
    expect(announced).toEqual([]);
    await charge.becomes('DONE');
    const { refundedAt, ...done } = await charge.now();
    expect(done).toMatchObject({ status: 'REFUNDED', refundedAmount: 900 });
    expect(done.refunds).toEqual([{ ...stored, status: 'REFUNDED', refundedAt, failureReason: null }]);
    expect(await charge.announced()).toEqual(['charge.refunded']);
    expect([charge.debited(), charge.returned().length]).toEqual([[900], 1]);
  });

  test('is returned by a repetition; another amount has to wait', async () => {
    const charge = await world.paidCharge();
    returns().willBe(charge.pix, 'EM_PROCESSAMENTO');
    const first = await charge.refund({ amount: 900 });

    const again = await charge.refund({ amount: 900 });
    const other = await charge.refund({ amount: 901 });

    expect([again.status, again.data]).toEqual([202, first.data]);
    expect([other.status, other.error?.code]).toEqual([409, 'REQUEST_IN_PROGRESS']);
    expect(world.provider.requestsFor(charge.pix, 'refund')).toHaveLength(1);
    returns().end(charge.pix, 'DEVOLVIDO');
    await charge.becomes('DONE');
    const late = await charge.refund({ amount: 900 });
    expect([late.status, late.error?.code]).toEqual([409, 'CHARGE_NOT_REFUNDABLE']);
  });

  test('leaves its charge PAID when it fails, and announces it', async () => {
    const charge = await world.paidCharge();
    returns().willBe(charge.pix, 'EM_PROCESSAMENTO');
    await charge.refund({ amount: 900, reason: 'Não serviu' });
    const [refund] = await charge.refunds();

    returns().end(charge.pix, 'NAO_REALIZADO', 'Conta encerrada');
    await charge.becomes('REFUSED');

    const now = await charge.now();
    expect(now).toMatchObject({ status: 'PAID', refundedAmount: null, refundedAt: null, refundReason: null });
    const failureReason = 'refused_by_provider';
    expect(now.refunds).toMatchObject([
      { id: refund?.id, status: 'FAILED', refundedAt: null, failureReason },
    ]);
    const [refused, failed, ...more] = await announcedAs(charge);
    expect(more).toEqual([]);
    expect(refused).toMatchObject({ type: 'refund.refused', sequence: 2, ...charge.tenant });
    expect(refused?.data).toEqual({
      id: refund?.id,
      chargeId: charge.id,
      paymentMethod: 'PIX',
      amount: 900,
      refusedAt: expect.any(String),
    });
    expect(failed).toMatchObject({ type: 'charge.refund_failed', sequence: 3, ...charge.tenant });
    const { id, txid, externalId, amount, feeAmount, netAmount } = charge;
    const failedRefund = webhookEvents['charge.refund_failed'].parse(failed?.data);
    expect(failedRefund).toEqual({
      ...{ paymentMethod: 'PIX', endToEndId: charge.pix, ...NO_CARD_NAMES },
      ...{
        id,
        txid,
        externalId,
        amount,
        feeAmount,
        netAmount,
        metadata: {},
        status: 'PAID',
        paidAt: now.paidAt,
      },
      refund: {
        ...{ id: refund?.id, amount: 900, reason: 'Não serviu', status: 'FAILED', failureReason },
        ...{ requestedAt: expect.any(String), failedAt: expect.any(String) },
      },
    });
    const { data } = await world.operate(`/refunds?status=REFUSED&merchantId=${charge.tenant.merchantId}`);
    expect(data).toMatchObject([{ id: refund?.id, failure: 'Conta encerrada' }]);
  });

  test('leaves the charge free for another refund when it fails', async () => {
    const charge = await world.paidCharge();
    returns().willBe(charge.pix, 'EM_PROCESSAMENTO');
    await charge.refund({ amount: 900 });
    returns().end(charge.pix, 'NAO_REALIZADO');
    await charge.becomes('REFUSED');

    returns().willBe(charge.pix, 'DEVOLVIDO');
    const { status, data } = await charge.refund({ amount: 2500 });

    expect([status, data]).toMatchObject([200, { status: 'REFUNDED', refundedAmount: 2500 }]);
    const ids = charge.returned().map(({ id }) => id);
    expect([new Set(ids).size, charge.debited()]).toEqual([2, [900, 2500]]);
    expect((await charge.refunds()).map(({ status }) => status)).toEqual(['REFUSED', 'DONE']);
    expect((await charge.now()).refunds.map(({ status }) => status)).toEqual(['FAILED', 'REFUNDED']);
    const expectedEvents = ['refund.refused', 'charge.refund_failed', 'charge.refunded'];
    expect(await charge.announced()).toEqual(expectedEvents);
    expect((await world.eventsOf(charge.id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  test('shows no failure once the provider answers again', async () => {
    const charge = await world.paidCharge();
    returns().willBe(charge.pix, 'EM_PROCESSAMENTO');
    await charge.refund({ amount: 900 });
    const failureOf = async () => (await charge.refunds())[0]?.failure;

    world.provider.next('find-refund', error500);
    await eventually(async () => expect(await failureOf()).toMatch(/provider/));
    await eventually(async () => expect(await failureOf()).toBeNull());

    expect(await charge.refunds()).toMatchObject([{ status: 'ACCEPTED' }]);
    returns().end(charge.pix, 'DEVOLVIDO');
    await charge.becomes('DONE');
  });
});

describe('a refund that an older release announced early', () => {
  /**
   * Makes a charge as an older release leaves it: announced as REFUNDED before the provider has returned the
   * money.
   */
  async function reportedEarly() {
    const charge = await world.paidCharge();
    returns().willBe(charge.pix, 'EM_PROCESSAMENTO');
    await charge.refund({ amount: 900 });
    const refunded = `UPDATE charges SET status = 'REFUNDED', refunded_cents = 900, refunded_at = now()
      WHERE id = $1`;
    await world.database.query(refunded, [charge.id]);
    return charge;
  }
  const alarmsOf = ({ id }: PaidCharge) =>
    world.database.query('SELECT subject, kind, amount_cents FROM alarms WHERE charge_id = $1', [id]);

  test('is DONE without another announcement', async () => {
    const charge = await reportedEarly();

    returns().end(charge.pix, 'DEVOLVIDO');
    await charge.becomes('DONE');

    expect([await charge.announced(), await alarmsOf(charge)]).toEqual([[], []]);
  });

  test('stays REFUNDED and raises an alarm when it fails', async () => {
    const charge = await reportedEarly();

    returns().end(charge.pix, 'NAO_REALIZADO');
    await charge.becomes('REFUSED');

    expect(await charge.now()).toMatchObject({ status: 'REFUNDED', refundedAmount: 900 });
    const alarm = { subject: 'refund', kind: 'FAILED_AFTER_DONE', amount_cents: 900 };
    expect([await charge.announced(), await alarmsOf(charge)]).toEqual([[], [alarm]]);
  });
});

describe('a refund that its provider refuses at once', () => {
  test.each<[string, (charge: PaidCharge) => void, string]>([
    [
      'reports it as not carried out',
      ({ pix }) => returns().willBe(pix, 'NAO_REALIZADO', 'Saldo insuficiente'),
      'Saldo insuficiente',
    ],
    [
      'answers 400',
      () =>
        world.provider.next('refund', () => ({ status: 400, body: { detail: 'Pix de mais de 90 dias.' } })),
      'Pix de mais de 90 dias.',
    ],
  ])('is a conflict and announced as refused when the provider %s', async (_what, prepare, failure) => {
    const charge = await world.paidCharge();
    prepare(charge);

    expect(await codeOf(charge.refund({ amount: 900 }))).toEqual([409, 'REFUND_REFUSED']);
    expect(await charge.now()).toMatchObject({ status: 'PAID', refundedAmount: null });
    expect(await charge.refunds()).toMatchObject([{ status: 'REFUSED', failure }]);
    expect(await charge.announced()).toEqual(['refund.refused']);
    expect(charge.debited()).toEqual([900]);
  });

  test('may be followed by another refund', async () => {
    const charge = await world.paidCharge();
    returns().willBe(charge.pix, 'NAO_REALIZADO');
    const refused = await charge.refund({ amount: 900 });

    returns().willBe(charge.pix, 'DEVOLVIDO');
    const { status } = await charge.refund({ amount: 900 });

    expect(refused.error?.message).toMatch(
      /^the provider refused the refund.*request another under a new Idempotency-Key/,
    );
    expect(status).toBe(200);
    expect((await charge.refunds()).map((each) => each.status)).toEqual(['REFUSED', 'DONE']);
    expect(await charge.announced()).toEqual(['refund.refused', 'charge.refunded']);
  });
});
