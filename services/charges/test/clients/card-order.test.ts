import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type AcquirerPeer,
  CHARGE_ID,
  cardOrder,
  order,
  startAcquirerPeer,
} from './support/acquirer-peer.ts';
import { HELD, json } from './support/peer.ts';

let peer: AcquirerPeer;

beforeAll(async () => {
  peer = await startAcquirerPeer();
});
beforeEach(() => void peer.asked.splice(0));
afterAll(() => peer.stop());

describe('an order', () => {
  test('names our charge, and says only what is known', async () => {
    peer.reply(json(200, order()));
    await peer.client.pay(cardOrder, HELD);

    expect(peer.asked).toMatchObject([
      {
        method: 'POST',
        path: '/core/v5/orders',
        headers: {
          authorization: `Basic ${Buffer.from('sk_test_segredo:').toString('base64')}`,
          'idempotency-key': CHARGE_ID,
          'content-type': 'application/json',
        },
      },
    ]);
    expect(peer.asked[0]?.body).toEqual({
      code: CHARGE_ID,
      items: [{ amount: 2500, description: CHARGE_ID, quantity: 1, code: CHARGE_ID }],
      customer: { name: 'Maria da Silva', document: '12345678909', type: 'individual' },
      payments: [
        {
          payment_method: 'credit_card',
          credit_card: { installments: 3, operation_type: 'auth_and_capture', card_token: 'token_1' },
        },
      ],
      closed: true,
    });
  });

  test('says all that is known', async () => {
    peer.reply(json(200, order()));
    await peer.client.pay(
      {
        ...cardOrder,
        payerDocument: '12ABC34501DE35',
        payerEmail: 'maria@example.com',
        payerPhone: '+5511987654321',
        statementDescriptor: 'LOJA DA MARIA',
        description: 'Assinatura',
      },
      HELD,
    );

    expect(peer.asked[0]?.body).toMatchObject({
      items: [{ description: 'Assinatura' }],
      customer: {
        type: 'company',
        email: 'maria@example.com',
        phones: { mobile_phone: { country_code: '55', area_code: '11', number: '987654321' } },
      },
      payments: [{ credit_card: { statement_descriptor: 'LOJA DA MARIA' } }],
    });
  });

  test.each([
    ['11987654321', { country_code: '55', area_code: '11', number: '987654321' }],
    ['1133334444', { country_code: '55', area_code: '11', number: '33334444' }],
    ['551133334444', { country_code: '55', area_code: '11', number: '33334444' }],
    ['+14155550100', undefined],
    ['', undefined],
  ])('with the phone %j names %j', async (payerPhone, expected) => {
    peer.reply(json(200, order()));
    await peer.client.pay({ ...cardOrder, payerPhone }, HELD);

    const { customer } = Object(peer.asked[0]?.body);
    expect(customer.phones?.mobile_phone).toEqual(expected);
  });

  test('is cut to what the acquirer takes, and not through a character', async () => {
    peer.reply(json(200, order()));
    await peer.client.pay(
      { ...cardOrder, payerName: `${'x'.repeat(63)}😀`, description: 'y'.repeat(300) },
      HELD,
    );

    expect(peer.asked[0]?.body).toMatchObject({
      customer: { name: 'x'.repeat(63) },
      items: [{ description: 'y'.repeat(256) }],
    });
  });
});
