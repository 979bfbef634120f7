import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

async function refusalOf(order: unknown, environment: 'sandbox' | 'production' = 'sandbox') {
  const merchant = world.newMerchant({}, environment);
  const { status, error } = await world.client.create(merchant, order);
  const rows = await world.rowsOf(merchant);
  return { status, code: error?.code, message: error?.message, rows: rows.length };
}

const refused = (message: string) => ({ status: 400, code: 'VALIDATION_ERROR', message, rows: 0 });

describe('an order with one wrong field', () => {
  test('names pixKey when key and destination are missing', async () => {
    expect(await refusalOf({ amount: 15_000 })).toEqual(refused('pixKey: is required'));
  });

  test('describes the required form of its key', async () => {
    const refusal = await refusalOf(newOrder({ pixKeyType: 'CPF', pixKey: '1234567890' }));

    expect(refusal).toEqual(refused('pixKey: must be a CPF of 11 digits'));
  });

  test('never repeats the wrong key in the message', async () => {
    const { message } = await refusalOf(newOrder({ pixKeyType: 'CPF', pixKey: '52998224700' }), 'production');

    expect(message).toBe('pixKey: its check digits are wrong');
  });
});

describe('an unusual order', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the smallest amount', { amount: 100 }, { amount: 100 }],
    [
      'unknown fields',
      { fee: 1, status: 'COMPLETED', environment: 'production' },
      { fee: 0, status: 'PENDING' },
    ],
    ['the longest externalId', { externalId: 'ç'.repeat(64) }, { externalId: 'ç'.repeat(64) }],
    ['text with SQL', { externalId: "'); DROP TABLE x; --" }, { externalId: "'); DROP TABLE x; --" }],
  ])('is accepted: %s', async (_what, changes, expected) => {
    const { status, data } = await world.client.create(world.newMerchant(), newOrder(changes));

    expect(status).toBe(201);
    expect(data).toMatchObject(expected);
  });

  test('is accepted: the largest amount with enough balance', async () => {
    const merchant = world.newMerchant({}, 'production');
    world.ledger.setBalance(merchant.merchantId, 99_999_999_999);

    const created = await world.client.newWithdrawal(merchant, { amount: 99_999_999_999 });

    expect(created).toMatchObject({ amount: 99_999_999_999 });
    expect(await world.rowOf(created.id)).toMatchObject({ approvals_needed: 2 });
  });
});
