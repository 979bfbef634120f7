import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { addDays, BANK_TIME_ZONE, dayOf, startOfDay } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { orderTaken } from '../support/acquirer-book.ts';
import { chargeAnswering, sharedCardWorld } from '../support/card-world.ts';

const world = worldOfFile(sharedCardWorld);

const created = api.createCharge.data;

async function paidWith(changes: Record<string, unknown>, traits = {}) {
  const shop = world.newShop(traits);
  const order = world.orderWith(world.newCard({ brand: 'Mastercard', lastDigits: '4242' }), changes);
  const { status, data } = await world.client.create(shop, order);
  return { shop, order, status, charge: created.parse(data) };
}

describe('an approved card', () => {
  test('makes a PAID charge with all fields of the contract', async () => {
    const { order, status, charge, shop } = await paidWith({ installments: 3, description: 'Bolo' });

    expect(status).toBe(201);
    expect(charge).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      txid: charge.id.replaceAll('-', ''),
      paymentMethod: 'CARD',
      amount: 2500,
      feeAmount: 100,
      netAmount: 2400,
      status: 'PAID',
      ...{
        environment: 'sandbox',
        disputeId: null,
        checkoutUrl: null,
        paymentLinkId: null,
        checkoutId: null,
        metadata: {},
        settlesAt: expect.any(String),
      },
      ...{ payerName: expect.any(String), payerDocument: '***.456.789-**', payerEmail: null },
      qrCode: null,
      qrCodeBase64: null,
      expiresAt: null,
      createdAt: expect.any(String),
      paidAt: expect.any(String),
      externalId: order.externalId,
      description: 'Bolo',
      endToEndId: null,
      installments: 3,
      cardBrand: 'Mastercard',
      cardLastDigits: '4242',
      ...{
        nsu: '000123456',
        authorizationCode: 'A1B2C3',
        acquirerId: world.acquirer.book.ofOrder(charge.id)[0]?.id,
      },
      refundedAmount: null,
      refundedAt: null,
      refundReason: null,
      refunds: [],
    });
    expect(await world.client.charge(shop, charge.id)).toEqual(charge);
  });

  test('is charged in one installment by default', async () => {
    const { charge } = await paidWith({});

    const [payment] = world.acquirer.book.ofOrder(charge.id);
    expect(charge.installments).toBe(1);
    expect(payment?.order.payments[0]?.credit_card.installments).toBe(1);
  });

  test('is announced once, with its settlement day', async () => {
    const { charge, shop } = await paidWith({}, { settlementDays: 14 });

    const { id, txid, externalId, paymentMethod, amount, feeAmount, netAmount, status, paidAt } = charge;
    const paidOn = dayOf(new Date(paidAt ?? ''), BANK_TIME_ZONE);
    const settlesAt = startOfDay(addDays(paidOn, 14), BANK_TIME_ZONE).toISOString();
    expect(await world.eventsOf(id)).toEqual([
      {
        id: expect.any(String),
        type: 'charge.paid',
        version: 1,
        occurredAt: expect.any(String),
        ...shop,
        aggregateId: id,
        sequence: 1,
        traceparent: expect.any(String),
        data: {
          ...{ id, txid, externalId, paymentMethod, amount, feeAmount, netAmount, status, paidAt },
          ...{ settlesAt, endToEndId: null, metadata: {}, installments: 1, cardBrand: 'Mastercard' },
          ...{ nsu: '000123456', authorizationCode: 'A1B2C3', acquirerId: charge.acquirerId },
          payerName: charge.payerName,
        },
      },
    ]);
    expect(charge.settlesAt).toBe(settlesAt);
  });

  test('may settle on the day of payment', async () => {
    const { charge } = await paidWith({}, { settlementDays: 0 });

    const [event] = await world.eventsOf(charge.id);
    expect(event?.data).toMatchObject({ settlesAt: charge.paidAt });
  });

  test.each([
    // The fees before rounding: 2550 × 399 / 10000 = 101.745; 1250 × 40 / 10000 = 5; 1250 × 44 / 10000 = 5.5.
    [2550, { cardFeeBps: 399, cardFeeFixed: 0 }, 102],
    [2550, { cardFeeBps: 399, cardFeeFixed: 39 }, 141],
    [1250, { cardFeeBps: 40, cardFeeFixed: 0 }, 5],
    [1250, { cardFeeBps: 44, cardFeeFixed: 0 }, 6],
    [1250, { cardFeeBps: 43, cardFeeFixed: 0 }, 5],
    [100, { cardFeeBps: 0, cardFeeFixed: 0 }, 0],
    [100, { cardFeeBps: 399, cardFeeFixed: 500 }, 100],
    [99_999_999_999, { cardFeeBps: 399, cardFeeFixed: 0 }, 3_990_000_000],
  ])('for %i cents with the fees %j costs %i', async (amount, fees, feeAmount) => {
    const { charge } = await paidWith({ amount }, { ...fees, pixFeeBps: 9_999, pixFeeFixed: 7 });

    expect(charge).toMatchObject({ amount, feeAmount, netAmount: amount - feeAmount });
  });

  test('makes a listed charge with a checkout without a code', async () => {
    const { charge, shop } = await paidWith({});
    const { qrCode: _code, qrCodeBase64: _image, refunds: _refunds, checkoutUrl: _url, ...shown } = charge;
    const { disputeId, metadata, ...listed } = shown;

    const { data } = await world.client.list(shop, '?paymentMethod=CARD&status=PAID');
    const checkout = await world.client.checkout(charge.id);

    expect([data, disputeId, metadata]).toEqual([[listed], null, {}]);
    expect(checkout.data).toEqual({
      id: charge.id,
      amount: 2500,
      status: 'PAID',
      description: null,
      expiresAt: null,
      paymentMethod: 'CARD',
      ...{ merchantName: 'Loja da Maria', merchantCnpj: '34665388000161', merchantPhone: '11987654321' },
      ...{ cardBrand: 'Mastercard', cardLastDigits: '4242', installments: 1 },
      checkoutColor: '#0a7f5a',
      environment: 'sandbox',
      paidAt: charge.paidAt,
      endToEndId: null,
      ...{ refundedAmount: null, refundedAt: null, disputedAmount: null, disputedAt: null },
      ...{ logo: null, unexpectedPayments: [] },
      serverTime: expect.any(String),
    });
  });

  test('pays the charge without card details from the acquirer', async () => {
    const { shop, order } = world.ordered();
    world.acquirer.next('pay', chargeAnswering({ last_transaction: null }));

    const { status, data } = await world.client.create(shop, order);

    expect(status).toBe(201);
    expect(data).toMatchObject({ status: 'PAID', cardBrand: 'unknown', cardLastDigits: '' });
  });
});

describe('the acquirer', () => {
  async function requestFor(changes: Record<string, unknown>) {
    const { charge, order } = await paidWith(changes);
    const [request, ...more] = world.acquirer.requestsFor(charge.id, 'pay');
    expect(more).toEqual([]);
    return { charge, order, key: request?.key, body: orderTaken.parse(JSON.parse(request?.body ?? '')) };
  }

  test('gets one request for the whole amount under our id', async () => {
    const { charge, order, key, body } = await requestFor({
      installments: 12,
      statementDescriptor: 'LOJAMARIA 123',
      payerName: "Antônia D'Ávila",
      payerEmail: 'antonia@example.com',
      payerPhone: '+5511987654321',
      description: 'Curso',
    });

    expect(key).toBe(charge.id);
    expect(body).toEqual({
      code: charge.id,
      items: [{ amount: 2500, description: 'Curso', quantity: 1, code: charge.id }],
      customer: {
        name: 'Antônia DÁvila',
        document: '12345678909',
        type: 'individual',
        email: 'antonia@example.com',
        phones: { mobile_phone: { country_code: '55', area_code: '11', number: '987654321' } },
      },
      payments: [
        {
          payment_method: 'credit_card',
          credit_card: {
            installments: 12,
            statement_descriptor: 'LOJAMARIA 123',
            operation_type: 'auth_and_capture',
            card_token: order.cardToken,
          },
        },
      ],
      closed: true,
    });
  });

  test('receives only the fields of the order', async () => {
    const { charge, body } = await requestFor({ payerDocument: '12.ABC.345/01DE-35' });

    expect(body.items).toEqual([{ amount: 2500, description: charge.id, quantity: 1, code: charge.id }]);
    expect(body.customer).toEqual({ name: 'Maria da Silva', document: '12ABC34501DE35', type: 'company' });
    expect(body.payments[0]?.credit_card).not.toHaveProperty('statement_descriptor');
  });
});

test('events have the buyer’s name once, no document or token', async () => {
  const { charge, order } = await paidWith({ payerEmail: 'canario@example.com' });

  const named = '"payerName":"Maria da Silva"';
  const [before = '', ...after] = JSON.stringify(await world.eventsOf(charge.id)).split(named);
  expect(after).toHaveLength(1);
  const written = before + after.join();
  const secrets = [String(order.cardToken), 'Maria', '12345678909', 'canario'];
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});
