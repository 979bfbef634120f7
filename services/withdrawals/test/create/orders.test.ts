import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { bankBody, newPixBody, saved } from '../support/destination-bodies.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

const takenOf = (id: string) => world.ledger.taken.filter((debit) => debit.id === id);

describe('an order to a Pix key', () => {
  test('returns a withdrawal whose money is already taken', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 150 });
    const order = newOrder({ amount: 10_000, externalId: ' folha-1 ' });

    const { status, data, headers } = await world.client.create(merchant, order);

    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/),
      amount: 10_000,
      fee: 150,
      netAmount: 9_850,
      status: 'PENDING',
      method: 'PIX',
      pixKey: order.pixKey,
      pixKeyType: 'EVP',
      bankAccount: null,
      source: 'MANUAL',
      destinationId: null,
      externalId: 'folha-1',
      providerTxId: null,
      failureReason: null,
      payeeName: null,
      payeeDocument: null,
      failureDetail: null,
      rejectedAt: null,
      rejectedReason: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      completedAt: null,
      failedAt: null,
      waitingFor: null,
    });
    const { id, createdAt } = await world.client.newWithdrawal(merchant, { amount: 10_000 });
    expect(takenOf(id)).toEqual([
      { id, ...merchant, netAmount: 9_850, fee: 150, method: 'PIX', externalId: null, occurredAt: createdAt },
    ]);
  });

  test('may come from a QR code', async () => {
    const merchant = world.newMerchant();

    expect(await world.client.newWithdrawal(merchant, { source: 'QR_CODE' })).toMatchObject({
      source: 'QR_CODE',
    });
  });
});

describe('the fee', () => {
  test.each([
    ['AMOUNT', 150, 10_000, 9_850],
    ['AMOUNT', 99, 100, 1],
    ['AMOUNT', 0, 100, 100],
    ['BALANCE', 150, 10_000, 10_000],
    ['BALANCE', 1_000_000, 100, 100],
  ] as const)('in mode %s, %i of %i, leaves %i for the payee', async (mode, fee, amount, netAmount) => {
    const merchant = world.newMerchant({ withdrawalFee: fee, withdrawalFeeMode: mode });

    const created = await world.client.newWithdrawal(merchant, { amount });

    expect(created).toMatchObject({ amount, fee, netAmount });
    expect(takenOf(created.id)).toMatchObject([{ netAmount, fee }]);
  });

  test('on top of the amount needs balance, too', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 150, withdrawalFeeMode: 'BALANCE' });
    world.ledger.setBalance(merchant.merchantId, 10_149);

    const refused = await world.client.create(merchant, newOrder({ amount: 10_000 }));
    world.ledger.setBalance(merchant.merchantId, 10_150);
    const taken = await world.client.create(merchant, newOrder({ amount: 10_000 }));

    expect(refused).toMatchObject({ status: 422, error: { code: 'INSUFFICIENT_BALANCE' } });
    expect(taken.status).toBe(201);
  });

  test.each([100, 149, 150])('of 150 is refused for an amount of %i', async (amount) => {
    const merchant = world.newMerchant({ withdrawalFee: 150 });

    const { status, error } = await world.client.create(merchant, newOrder({ amount }));

    expect([status, error?.code, error?.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      'amount: must be more than 150, the fee it bears',
    ]);
    expect(await world.rowsOf(merchant)).toEqual([]);
  });
});

describe('an order to a saved destination', () => {
  test('goes to its key and refuses a different key', async () => {
    const merchant = world.newMerchant();
    const pixKey = newId();
    const { id: destinationId } = await saved(world, merchant, newPixBody({ pixKey }));
    const order = newOrder({ destinationId });

    const { status, data } = await world.client.create(merchant, order);
    const same = await world.client.create(merchant, {
      ...order,
      pixKey: pixKey.toUpperCase(),
      pixKeyType: 'EVP',
    });
    const other = await world.client.create(merchant, { ...order, pixKey: newId(), pixKeyType: 'EVP' });
    const half = await world.client.create(merchant, { ...order, pixKey });

    const [row] = await world.database.query('SELECT pix_key FROM destinations WHERE id = $1', [
      destinationId,
    ]);
    expect(status).toBe(201);
    expect(data).toMatchObject({ destinationId, method: 'PIX', pixKeyType: 'EVP', pixKey: row?.pix_key });
    expect(same.status).toBe(201);
    expect([other.status, other.error?.message]).toEqual([
      400,
      'pixKey: is not that of the destination; send one of them',
    ]);
    expect([half.status, half.error?.message]).toEqual([400, 'pixKeyType: is required']);
  });

  test('with a bank account becomes a TED awaiting an operator', async () => {
    const merchant = world.newMerchant({ withdrawalFee: 500 });
    const { id: destinationId } = await saved(world, merchant, bankBody);

    const { status, data } = await world.client.create(merchant, { amount: 20_000, destinationId });

    const { id } = await world.client.newWithdrawal(merchant, { destinationId });
    expect([status, data]).toMatchObject([
      201,
      { method: 'TED', status: 'PENDING', pixKey: null, pixKeyType: null, destinationId, netAmount: 19_500 },
    ]);
    expect(data).toMatchObject({ bankAccount: { holderName: bankBody.holderName } });
    expect(takenOf(id)).toMatchObject([{ method: 'TED' }]);
    expect(await world.rowOf(id)).toMatchObject({ approvals_needed: 1, next_check_at: null });
  });

  test('without an own existing destination is not found', async () => {
    const merchant = world.newMerchant();
    const deleted = await saved(world, merchant);
    await world.call(merchant, `/v1/destinations/${deleted.id}`, { method: 'DELETE' });
    const anothers = await saved(world, world.newMerchant());
    const production = await saved(world, { ...merchant, environment: 'production' });

    for (const destinationId of [newId(), deleted.id, anothers.id, production.id]) {
      expect(await world.client.create(merchant, { ...newOrder(), destinationId })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND', message: 'there is no destination with this id' },
      });
    }
    expect(await world.rowsOf(merchant)).toEqual([]);
  });
});

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
