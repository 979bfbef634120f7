import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newOrder } from '../support/client.ts';
import { merchantHeader } from '../support/identity.ts';
import { sharedWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

async function refusalOf(order: unknown, environment: 'sandbox' | 'production' = 'sandbox') {
  const merchant = world.newMerchant({}, environment);
  const { status, error } = await world.client.create(merchant, order);
  const rows = await world.database.query('SELECT id FROM withdrawals WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  return { status, code: error?.code, message: error?.message, rows: rows.length };
}

const refused = (message: string) => ({ status: 400, code: 'VALIDATION_ERROR', message, rows: 0 });

describe('an order that is wrong in one field', () => {
  test.each<[string, unknown, string]>([
    ['amount', undefined, 'is required'],
    ['amount', null, 'is required'],
    ['amount', '2500', 'must be a number'],
    ['amount', 2500.5, 'must be an integer'],
    ['amount', 99, 'must be at least 100'],
    ['amount', 0, 'must be at least 100'],
    ['amount', -15_000, 'must be at least 100'],
    ['amount', 100_000_000_000, 'must be at most 99999999999'],
    ['amount', [15_000], 'must be a number'],
    ['pixKey', undefined, 'is required'],
    ['pixKey', null, 'is required'],
    ['pixKey', '', 'is required'],
    ['pixKey', 'a'.repeat(78), 'must have at most 77 characters'],
    ['pixKey', 'a\u0000b', 'may not hold control characters'],
    ['pixKey', 'maria@exemplo.com', 'must be a random key such as 123e4567-e12b-12d1-a456-426655440000'],
    ['pixKeyType', undefined, 'is required'],
    ['pixKeyType', 'evp', 'must be one of CPF, CNPJ, EMAIL, PHONE, EVP'],
    ['pixKeyType', 'RANDOM', 'must be one of CPF, CNPJ, EMAIL, PHONE, EVP'],
    ['destinationId', 'maria', 'must be a destination’s id'],
    ['destinationId', 7, 'must be a text'],
    ['source', 'API', 'must be one of MANUAL, QR_CODE'],
    ['externalId', '', 'is required'],
    ['externalId', 7, 'must be a text'],
    ['externalId', 'a'.repeat(65), 'must have at most 64 characters'],
    ['externalId', 'a\nb', 'may not hold control characters'],
    ['externalId', '\ud800', 'may not hold control characters'],
  ])('names %s, here %j', async (field, value, reason) => {
    expect(await refusalOf(newOrder({ [field]: value }))).toEqual(refused(`${field}: ${reason}`));
  });

  test.each([
    ['CPF', '1234567890', 'must be a CPF of 11 digits'],
    ['CPF', '52599927000121', 'must be a CPF of 11 digits'],
    ['CPF', '١٢٣٤٥٦٧٨٩٠٩', 'must be a CPF of 11 digits'],
    ['CNPJ', '12345678909', 'must be a CNPJ of 14 characters'],
    ['EMAIL', 'maria', 'must be an e-mail address of at most 77 characters'],
    ['EMAIL', 'maria@exemplo..com', 'must be an e-mail address of at most 77 characters'],
    ['PHONE', '98765-4321', 'must be a phone number with area code'],
    ['PHONE', 'maria@exemplo.com', 'must be a phone number with area code'],
    ['EVP', '12345678909', 'must be a random key such as 123e4567-e12b-12d1-a456-426655440000'],
  ])('says what a key of type %s must be, here %j', async (pixKeyType, pixKey, reason) => {
    expect(await refusalOf(newOrder({ pixKeyType, pixKey }))).toEqual(refused(`pixKey: ${reason}`));
  });

  test('names the key when there is neither a key nor a destination', async () => {
    expect(await refusalOf({ amount: 15_000 })).toEqual(refused('pixKey: is required'));
  });

  test('never says which key it was', async () => {
    const { message } = await refusalOf(newOrder({ pixKeyType: 'CPF', pixKey: '52998224700' }), 'production');

    expect(message).toBe('pixKey: its check digits are wrong');
  });
});

describe('the check digits of a document', () => {
  const wrong: [string, string][] = [
    ['CPF', '12345678900'],
    ['CPF', '11111111111'],
    ['CNPJ', '52599927000100'],
    ['CNPJ', '12ABC34501DE36'],
  ];

  test.each(wrong)('of type %s are not looked at in the sandbox: %s', async (pixKeyType, pixKey) => {
    expect((await world.client.create(world.newMerchant(), newOrder({ pixKeyType, pixKey }))).status).toBe(
      201,
    );
  });

  test.each(wrong)('of type %s are demanded in production: %s', async (pixKeyType, pixKey) => {
    const refusal = await refusalOf(newOrder({ pixKeyType, pixKey }), 'production');

    expect(refusal).toEqual(refused('pixKey: its check digits are wrong'));
  });

  test.each([
    ['CPF', '111.444.777-35'],
    ['CNPJ', '34.665.388/0001-61'],
    ['CNPJ', '12ABC34501DE35'],
  ])('of type %s may be right: %s', async (pixKeyType, pixKey) => {
    const merchant = world.newMerchant({}, 'production');

    expect((await world.client.create(merchant, newOrder({ pixKeyType, pixKey }))).status).toBe(201);
  });
});

describe('a body that is no order', () => {
  test.each([
    ['{"amount": 2500,', 400, 'VALIDATION_ERROR'],
    ['[]', 400, 'VALIDATION_ERROR'],
    ['"order"', 400, 'VALIDATION_ERROR'],
    ['', 400, 'VALIDATION_ERROR'],
    [JSON.stringify({ note: 'a'.repeat(102_400) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('is refused: %.20s', async (body, status, code) => {
    expect(await refusalOf(body)).toMatchObject({ status, code, rows: 0 });
  });

  test('is refused when it is of another kind', async () => {
    const answer = await world.client.send('/v1/withdrawals', {
      method: 'POST',
      headers: { ...merchantHeader(world.newMerchant()), 'content-type': 'text/plain' },
      body: JSON.stringify(newOrder()),
    });

    expect([answer.status, answer.error?.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('is refused when it holds a card number', async () => {
    expect(await refusalOf(newOrder({ note: '4000 0000 0000 0010' }))).toMatchObject({
      status: 400,
      rows: 0,
    });
  });
});

describe('an order that is unusual', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the smallest amount', { amount: 100 }, { amount: 100 }],
    [
      'unknown fields',
      { fee: 1, status: 'COMPLETED', environment: 'production' },
      { fee: 0, status: 'PENDING' },
    ],
    ['the longest externalId', { externalId: 'ç'.repeat(64) }, { externalId: 'ç'.repeat(64) }],
    [
      'text that SQL would mind',
      { externalId: "'); DROP TABLE x; --" },
      { externalId: "'); DROP TABLE x; --" },
    ],
  ])('is taken: %s', async (_what, changes, expected) => {
    const { status, data } = await world.client.create(world.newMerchant(), newOrder(changes));

    expect(status).toBe(201);
    expect(data).toMatchObject(expected);
  });

  test('is taken: the largest amount, when the balance covers it', async () => {
    const merchant = world.newMerchant({}, 'production');
    world.ledger.setBalance(merchant.merchantId, 99_999_999_999);

    const created = await world.client.newWithdrawal(merchant, { amount: 99_999_999_999 });

    expect(created).toMatchObject({ amount: 99_999_999_999 });
    expect(await world.rowOf(created.id)).toMatchObject({ approvals_needed: 2 });
  });
});
