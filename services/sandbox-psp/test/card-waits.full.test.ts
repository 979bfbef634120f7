import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startSandboxPsp } from '../src/service.ts';
import { ownBank, startBank, times, wholeTruth } from './bank.ts';
import {
  callCards,
  cardOrder,
  hooksOf,
  orderAndHangUp,
  orderBody,
  ordersOf,
  readCardCharge,
  tokenize,
} from './cards.ts';

const bank = ownBank({ CARD_SETTLEMENT_MS: '500' });

describe('a card with a delayed outcome', () => {
  test.each([
    ['4000000000000051', 'paid', '00', 'charge.paid'],
    ['4000000000000069', 'failed', '51', 'charge.payment_failed'],
  ])('%s gets no answer, and its charge is %s later', async (number, status, returnCode, type) => {
    const body = orderBody(await tokenize(bank, number));
    expect(await orderAndHangUp(bank, body)).toBe('AbortError');

    const again = cardOrder.parse((await callCards(bank, 'POST /orders', { key: body.code, body })).body);
    const chargeId = again.charges[0].id;
    const ended = await eventually(async () => {
      const charge = await readCardCharge(bank, chargeId);
      expect(charge.status).toBe(status);
      return charge;
    });

    expect(ended.last_transaction.acquirer_return_code).toBe(returnCode);
    expect((await ordersOf(bank, body.code)).map((order) => order.status)).toEqual([status]);
    await eventually(() => expect(hooksOf(bank, chargeId)).toMatchObject([{ type, data: ended }]));
  });

  test('has a processing charge before its outcome', async () => {
    const slowBank = await startBank({ CARD_SETTLEMENT_MS: '60000' });
    const body = orderBody(await tokenize(slowBank, '4000000000000051'));
    await orderAndHangUp(slowBank, body);

    const order = cardOrder.parse((await callCards(slowBank, 'POST /orders', { key: body.code, body })).body);

    expect(order.status).toBe('processing');
    expect(order.charges[0]).toMatchObject({ status: 'processing', paid_amount: 0 });
    expect(order.charges[0].last_transaction).toMatchObject({ status: 'processing', success: false });
    await slowBank.close();
  });

  test('ends once with two replicas', async () => {
    const second = await startSandboxPsp(bank.env);
    const codes = await Promise.all(
      times(20).map(async () => {
        const body = orderBody(await tokenize(bank, '4000000000000051'));
        await orderAndHangUp(bank, body);
        return body.code;
      }),
    );

    await eventually(async () => {
      const { cardCharges } = await wholeTruth(bank);
      expect(cardCharges.filter((it) => codes.includes(it.code) && it.status === 'paid')).toHaveLength(20);
    });
    for (const code of codes) {
      const [order] = await ordersOf(bank, code);
      await eventually(() => expect(hooksOf(bank, order?.charges[0].id ?? '')).toHaveLength(1));
    }
    await second.stop();
  });
});
