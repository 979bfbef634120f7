import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { askControl, control, newTxid, SHOP, sharedBankWorld, startBank, times, wholeTruth } from './bank.ts';
import {
  callCards,
  cardCharge,
  charged,
  hooksOf,
  orderAndHangUp,
  orderBody,
  readCardCharge,
  tokenize,
} from './cards.ts';

const bank = sharedBankWorld();

function refund(chargeId: string, body?: unknown, key = newTxid()) {
  return callCards(bank, `DELETE /charges/${chargeId}`, { key, ...(body !== undefined && { body }) });
}

describe('DELETE /core/v5/charges/{id}', () => {
  test('refunds the whole charge by default', async () => {
    const { charge } = await charged(bank);
    const answer = await refund(charge.id);

    expect(answer.status).toBe(200);
    const refunded = cardCharge.parse(answer.body);
    expect(refunded).toMatchObject({ status: 'canceled', amount: 5000, canceled_amount: 5000 });
    expect(refunded.canceled_at).toBeDefined();
    expect(refunded.last_transaction.status).toBe('refunded');
    expect(await readCardCharge(bank, charge.id)).toEqual(refunded);
    await eventually(() =>
      expect(hooksOf(bank, charge.id)).toMatchObject([{ type: 'charge.refunded', data: refunded }]),
    );
  });

  test('refunds a part and then the remainder', async () => {
    const { charge, order } = await charged(bank);
    const part = cardCharge.parse((await refund(charge.id, { amount: 1999 })).body);
    const tooMuch = await refund(charge.id, { amount: 3002 });
    const rest = cardCharge.parse((await refund(charge.id)).body);

    expect(part).toMatchObject({ status: 'paid', canceled_amount: 1999, paid_amount: 5000 });
    expect(tooMuch).toMatchObject({ status: 412, body: { message: expect.any(String) } });
    expect(rest).toMatchObject({ status: 'canceled', canceled_amount: 5000 });
    expect((await callCards(bank, `GET /orders/${order.id}`)).body).toMatchObject({ status: 'canceled' });
    expect((await refund(charge.id)).status).toBe(412);
  });

  test('refunds once for a repeated key, with the same answer', async () => {
    const { charge } = await charged(bank);
    const first = await refund(charge.id, { amount: 1000 }, 'refund-1');
    await refund(charge.id, { amount: 500 });

    const again = await refund(charge.id, { amount: 1000 }, 'refund-1');

    expect(again.body).toEqual(first.body);
    expect((await readCardCharge(bank, charge.id)).canceled_amount).toBe(1500);
  });

  test.each([1000, undefined])('refunds %p once for ten equal requests at once', async (amount) => {
    for (const _round of times(5)) {
      const { charge } = await charged(bank);
      const key = newTxid();
      const answers = await Promise.all(times(10).map(() => refund(charge.id, { amount }, key)));

      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect((await readCardCharge(bank, charge.id)).canceled_amount).toBe(amount ?? 5000);
    }
  });

  test('never refunds more than the charge, for twenty parallel requests', async () => {
    const { charge } = await charged(bank);
    const answers = await Promise.all(times(20).map(() => refund(charge.id, { amount: 600 })));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(12);
    expect((await readCardCharge(bank, charge.id)).canceled_amount).toBe(4800);
  });

  test('refuses a refund of a failed or processing charge', async () => {
    const undecided = await startBank({ CARD_SETTLEMENT_MS: '3600000' });
    const failed = await charged(undecided, '4000000000000028');
    const body = orderBody(await tokenize(undecided, '4000000000000051'));
    await orderAndHangUp(undecided, body);
    const { cardCharges } = await wholeTruth(undecided);
    const processing = cardCharges.find(({ code }) => code === body.code);

    const statusOfRefund = async (chargeId: unknown) =>
      (await callCards(undecided, `DELETE /charges/${chargeId}`, { key: newTxid() })).status;

    expect(processing?.status).toBe('processing');
    expect(await statusOfRefund(processing?.id)).toBe(412);
    expect(await statusOfRefund(failed.charge.id)).toBe(412);
    await undecided.close();
  });

  test.each([{ amount: 0 }, { amount: -1 }, { amount: 1.5 }, { amount: '1' }])(
    '%j is refused',
    async (body) => {
      const { charge } = await charged(bank);

      expect(await refund(charge.id, body)).toMatchObject({
        status: 422,
        body: { errors: expect.anything() },
      });
    },
  );

  test('is refused by a charge that refuses refunds', async () => {
    const { charge, code } = await charged(bank);

    expect(await control(bank, `cards/${code}/refuse-refunds`)).toEqual({ refusesRefunds: true });

    expect((await refund(charge.id)).status).toBe(412);
    expect((await readCardCharge(bank, charge.id)).canceled_amount).toBe(0);
  });

  test('answers 500 after the refund with an ordered fault', async () => {
    const { charge } = await charged(bank);
    await control(bank, 'faults', { operation: 'card.refund', fault: 'done_then_500', times: 1 });

    const failed = await refund(charge.id, { amount: 100 }, 'faulty');

    expect(failed.status).toBe(500);
    const again = await refund(charge.id, { amount: 100 }, 'faulty');
    expect(again.body).toMatchObject({ canceled_amount: 100 });
  });

  test('is refused once by an ordered fault', async () => {
    const { charge } = await charged(bank);
    await control(bank, 'faults', { operation: 'card.refund', fault: 'refused', times: 1 });

    expect((await refund(charge.id, { amount: 100 })).status).toBe(412);
    expect((await readCardCharge(bank, charge.id)).canceled_amount).toBe(0);
  });
});

describe('POST /control/cards/{code}/chargeback', () => {
  test('takes money back from a paid charge and notifies', async () => {
    const { charge, code } = await charged(bank);
    const answer = await control(bank, `cards/${code}/chargeback`, {
      amount: 4000,
      reason: 'not recognised',
    });

    const disputed = cardCharge.parse(answer);
    expect(disputed.status).toBe('chargedback');
    expect(disputed.chargeback).toMatchObject({ amount: 4000, reason: 'not recognised' });
    expect(await readCardCharge(bank, charge.id)).toEqual(disputed);
    await eventually(() =>
      expect(hooksOf(bank, charge.id)).toMatchObject([{ type: 'charge.chargedback', data: disputed }]),
    );
    expect((await refund(charge.id)).status).toBe(412);
  });

  test('takes the unrefunded remainder by default', async () => {
    const { charge, code } = await charged(bank);
    await refund(charge.id, { amount: 1000 });
    await control(bank, `cards/${code}/chargeback`);

    const { cardCharges } = await wholeTruth(bank);

    expect(cardCharges.find((it) => it.code === code)).toEqual({
      clientId: SHOP.id,
      id: charge.id,
      orderId: expect.any(String),
      code,
      amount: 5000,
      canceledAmount: 1000,
      status: 'chargedback',
      installments: 3,
      chargeback: { amount: 4000, reason: 'fraud', createdAt: expect.any(String) },
    });
  });

  test('is undone once, and the charge becomes refundable again', async () => {
    const { charge, code } = await charged(bank);
    await control(bank, `cards/${code}/chargeback`, { amount: 4000 });

    const undone = cardCharge.parse(await control(bank, `cards/${code}/undo-chargeback`));
    const again = await control(bank, `cards/${code}/undo-chargeback`);

    expect(undone).toMatchObject({ status: 'paid', canceled_amount: 0 });
    expect(undone).not.toHaveProperty('chargeback');
    expect(again).toEqual(undone);
    expect((await refund(charge.id)).status).toBe(200);
  });

  test('together with a refund never exceeds the charge', async () => {
    for (const _round of times(10)) {
      const { charge, code } = await charged(bank);
      const [refunded, disputed] = await Promise.all([
        refund(charge.id),
        askControl(bank, `cards/${code}/chargeback`),
      ]);

      expect([refunded.status, disputed.status]).toEqual(refunded.status === 200 ? [200, 409] : [412, 200]);
    }
  });

  test.each([
    ['an unknown code', async () => newTxid(), {}, 404],
    ['a declined charge', async () => (await charged(bank, '4000000000000028')).code, {}, 409],
    ['more than the charge', async () => (await charged(bank)).code, { amount: 5001 }, 409],
    ['an unknown field', async () => (await charged(bank)).code, { x: 1 }, 400],
  ])('of %s is refused', async (_case, codeOf, body, status) => {
    expect((await askControl(bank, `cards/${await codeOf()}/chargeback`, body)).status).toBe(status);
  });
});
