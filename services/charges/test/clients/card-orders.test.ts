import { describe, expect, test } from '@jest/globals';
import { USELESS_CARD_TOKEN } from '@plataforma/contracts';
import type { AcquirerClient } from '../../src/cards/acquirer-client.ts';
import {
  CHARGE_ID,
  cardOrder,
  charge,
  order,
  startAcquirerPeer,
  transaction,
} from './support/acquirer-peer.ts';
import { noAnswers, useless } from './support/faults.ts';
import { ERROR, fullRefusalOf, refusalOf, UNAVAILABLE } from './support/outcomes.ts';
import { json, LEASED, peerOfFile, type Reply } from './support/peer.ts';

const peer = peerOfFile(startAcquirerPeer);

const pay = (...replies: Reply[]) => {
  peer.reply(...replies);
  return peer.client.pay(cardOrder, LEASED);
};
const tokenRefused = json(422, {
  message: 'The request is invalid.',
  errors: { 'order.payments[0].credit_card.card_token': ['Token not found.'] },
});
const approved = {
  ...{ state: 'approved', acquirerId: 'ch_1', brand: 'Visa', lastDigits: '0010', amount: 2500 },
  ...{ nsu: '000123456', authorizationCode: 'A1B2C3' },
};

describe('a card order', () => {
  test.each([
    ['11987654321', { country_code: '55', area_code: '11', number: '987654321' }],
    ['1133334444', { country_code: '55', area_code: '11', number: '33334444' }],
    ['551133334444', { country_code: '55', area_code: '11', number: '33334444' }],
    ['+14155550100', undefined],
    ['', undefined],
  ])('with the phone %j sends the phone %j', async (payerPhone, expected) => {
    peer.reply(json(200, order()));
    await peer.client.pay({ ...cardOrder, payerPhone }, LEASED);

    const { customer } = Object(peer.requests[0]?.body);
    expect(customer.phones?.mobile_phone).toEqual(expected);
  });

  test('is shortened to the acquirer’s limits without splitting a character', async () => {
    peer.reply(json(200, order()));
    await peer.client.pay(
      { ...cardOrder, payerName: `${'x'.repeat(63)}😀`, description: 'y'.repeat(300) },
      LEASED,
    );

    expect(peer.requests[0]?.body).toMatchObject({
      customer: { name: 'x'.repeat(63) },
      items: [{ description: 'y'.repeat(256) }],
    });
  });
});

describe('the charge of a card order', () => {
  test.each([
    ['paid', approved],
    ['captured', approved],
    ['chargedback', approved],
    ['processing', { state: 'processing' }],
    ['pending', { state: 'processing' }],
    ['pending_review', { state: 'processing' }],
    ['analyzing', { state: 'processing' }],
    ['waiting_capture', { state: 'processing' }],
    ['em_analise', { state: 'processing' }],
    ['constructor', { state: 'processing' }],
    ['failed', { state: 'declined', reason: 'insufficient_funds' }],
    ['not_authorized', { state: 'declined', reason: 'insufficient_funds' }],
    ['with_error', { state: 'declined', reason: 'insufficient_funds' }],
    ['canceled', { state: 'declined', reason: 'insufficient_funds' }],
    ['voided', { state: 'declined', reason: 'insufficient_funds' }],
  ])('in the status %s gives %j', async (status, expected) => {
    const last_transaction = transaction({ acquirer_return_code: '51' });
    const body = order({ charges: [charge({ status, last_transaction })] });

    expect(await pay(json(200, body))).toEqual(expected);
    expect(await pay(json(201, body))).toEqual(expected);
    peer.reply(json(200, { data: [body], paging: { total: 1 } }));
    expect(await peer.client.find(CHARGE_ID)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ['a code', transaction({ acquirer_return_code: '1016' }), 'insufficient_funds'],
    ['a number', transaction({ acquirer_return_code: 54 }), 'expired_card'],
    [
      'an antifraud refusal',
      transaction({ acquirer_return_code: null, antifraud_response: { status: 'reproved' } }),
      'suspected_fraud',
    ],
    [
      'an antifraud approval',
      transaction({ acquirer_return_code: '41', antifraud_response: { status: 'approved' } }),
      'lost_card',
    ],
    ['a code of an unknown shape', transaction({ acquirer_return_code: {} }), 'card_declined'],
    ['no transaction', undefined, 'card_declined'],
    ['a transaction of an unknown shape', 'x', 'card_declined'],
  ])('that failed with %s has a decline reason', async (_what, last_transaction, reason) => {
    const declined = order({ status: 'failed', charges: [charge({ status: 'failed', last_transaction })] });

    expect(await pay(json(200, declined))).toEqual({ state: 'declined', reason });
  });

  test('paid without card details is approved', async () => {
    const body = order({ charges: [charge({ last_transaction: transaction({ card: null }) })] });

    expect(await pay(json(200, body))).toEqual({ ...approved, brand: 'unknown', lastDigits: '' });
  });

  test.each([
    [{ acquirer_nsu: 123456, acquirer_auth_code: ' 0A1B2C ' }, ['123456', '0A1B2C']],
    [{ acquirer_nsu: '', acquirer_auth_code: null }, [null, null]],
    [{ acquirer_nsu: undefined, acquirer_auth_code: {} }, [null, null]],
    [{ acquirer_nsu: '9'.repeat(64), acquirer_auth_code: '9'.repeat(65) }, ['9'.repeat(64), null]],
    [{ acquirer_nsu: '12\u202e34', acquirer_auth_code: 'a\nb' }, [null, null]],
  ])('paid with the names %j returns %j', async (fields, names) => {
    const body = order({ charges: [charge({ last_transaction: transaction(fields) })] });

    const [nsu, authorizationCode] = names;
    expect(await pay(json(200, body))).toEqual({ ...approved, nsu, authorizationCode });
  });

  test.each([
    ['failed', { state: 'declined', reason: 'card_declined' }],
    ['pending', { state: 'processing' }],
  ])('missing from an order that is %s gives %j', async (status, expected) => {
    expect(await pay(json(200, order({ status, charges: [] })))).toEqual(expected);
  });

  test('missing from a paid order is a provider error', async () => {
    expect(await refusalOf(pay(json(200, order({ charges: [] }))))).toBe(ERROR);
  });
});

describe('a token that the acquirer refuses', () => {
  test('is refused to the merchant in our words', async () => {
    const { kind, code, message } = await fullRefusalOf(pay(tokenRefused, json(200, { data: [] })));

    expect([kind, code]).toEqual(['invalid', 'VALIDATION_ERROR']);
    // The gateway recognises this refusal by its message, and counts it among the declines of a network
    // address.
    expect(message).toBe(USELESS_CARD_TOKEN);
  });

  test('is recognized by the answer’s message alone', async () => {
    const refused = json(422, { message: 'token not found' });

    expect(await refusalOf(pay(refused, json(200, { data: [] })))).toBe('invalid VALIDATION_ERROR');
  });

  test('after its own earlier use returns that order', async () => {
    expect(await pay(tokenRefused, json(200, { data: [order()] }))).toEqual(approved);
    expect(peer.requests.map(({ method, query }) => [method, query])).toEqual([
      ['POST', {}],
      ['GET', { code: CHARGE_ID }],
    ]);
  });

  test('is not refused while its earlier use is unknown', async () => {
    expect(await refusalOf(pay(tokenRefused, json(500, {})))).toBe(UNAVAILABLE);
  });
});

describe('an order that the acquirer refuses', () => {
  test.each([
    [422, { message: 'Zuleica', errors: { 'order.customer.name': ['Zuleica'] } }],
    [400, { message: 'token Zuleica' }],
    [401, { message: 'Authorization has been denied: token Zuleica' }],
    [403, { message: 'Zuleica' }],
    [404, { message: 'Zuleica' }],
    [412, { message: 'Zuleica' }],
  ])('with %s is PROVIDER_ERROR without the acquirer’s text', async (status, body) => {
    const { kind, code, message } = await fullRefusalOf(pay(json(status, body)));

    expect([kind, code]).toEqual(['provider_fault', 'PROVIDER_ERROR']);
    expect(message).not.toMatch(/Zuleica/);
    expect(peer.requests).toHaveLength(1);
  });
});

describe('an order read from the acquirer', () => {
  const find = (body: unknown) => {
    peer.reply(json(200, body));
    return peer.client.find(CHARGE_ID);
  };
  const failed = order({ charges: [charge({ id: 'ch_2', status: 'failed' })] });
  const processing = order({ charges: [charge({ id: 'ch_3', status: 'processing' })] });

  test('is requested by our id, and null when unknown', async () => {
    expect(await find({ data: [], paging: { total: 0 } })).toBeNull();
    expect(peer.requests).toMatchObject([
      { method: 'GET', path: '/core/v5/orders', query: { code: CHARGE_ID }, body: undefined },
    ]);
  });

  test('is the paid one of several', async () => {
    expect(await find({ data: [failed, processing, order()] })).toEqual(approved);
    expect(await find({ data: [failed, processing] })).toEqual({ state: 'processing' });
  });

  test('is null when the acquirer returns only other orders', async () => {
    expect(await find({ data: [order({ code: `${CHARGE_ID}0` }), order({ code: null })] })).toBeNull();
  });
});

describe.each<[string, (client: AcquirerClient) => Promise<unknown>]>([
  ['pay', (client) => client.pay(cardOrder, LEASED)],
  ['find', (client) => client.find(CHARGE_ID)],
])('%s', (_name, call) => {
  test.each(noAnswers)('is PROVIDER_UNAVAILABLE when the acquirer %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(call(reply === 'silence' ? peer.shortTimeout : peer.client))).toBe(UNAVAILABLE);
  });

  test.each(useless)('is PROVIDER_ERROR when the acquirer answers %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(call(peer.client))).toBe(ERROR);
  });
});

test('an answer about another order is a provider error', async () => {
  expect(await refusalOf(pay(json(200, order({ code: 'x' }))))).toBe(ERROR);
});

test('a browser gets the tokenizer’s address and key', () => {
  expect([peer.client.publicKey, peer.client.tokenizeUrl]).toEqual([
    'pk_test_publica',
    'https://api.pagar.me/core/v5/tokens',
  ]);
});
