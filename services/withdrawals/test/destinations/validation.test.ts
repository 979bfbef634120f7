import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bankBody, newPixBody, save } from '../support/destination-bodies.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const refusal = (message: string) => ({ status: 400, error: { code: 'VALIDATION_ERROR', message } });
const pix = (pixKeyType: string, pixKey: unknown) => ({ type: 'PIX', pixKeyType, pixKey });

test.each([
  ['CPF', '111.444.777-35', '11144477735'],
  ['CPF', '11111111111', '11111111111'],
  ['CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
  ['CNPJ', '12.abc.345/01de\u201335\u200b', '12ABC34501DE35'],
  ['CNPJ', '00038166000105', '00038166000105'],
  ['EMAIL', 'Maria.Silva@Loja.Example', 'maria.silva@loja.example'],
  ['PHONE', '5511987654321', '+5511987654321'],
  ['PHONE', '+14155550100', '+14155550100'],
  ['EVP', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
])('a key of type %s such as %s is kept as %s', async (type, raw, kept) => {
  const { status, data } = await save(world, newTenant(), pix(type, raw));

  expect(status).toBe(201);
  expect(data).toMatchObject({ pixKeyType: type, pixKey: kept });
});

test.each([
  ['CPF', '1234567890', 'pixKey: must be a CPF of 11 digits'],
  ['CPF', 'maria@loja.example', 'pixKey: must be a CPF of 11 digits'],
  ['CNPJ', '12345678909', 'pixKey: must be a CNPJ of 14 characters'],
  ['EMAIL', 'maria', 'pixKey: must be an e-mail address of at most 77 characters'],
  ['PHONE', '987654321', 'pixKey: must be a phone number with area code'],
  ['EVP', '123e4567', 'pixKey: must be a random key such as 123e4567-e12b-12d1-a456-426655440000'],
  ['RANDOM', 'x', 'pixKeyType: must be one of CPF, CNPJ, EMAIL, PHONE, EVP'],
  ['CPF', 12345678909, 'pixKey: must be a text'],
  ['CPF', '  ', 'pixKey: is required'],
  ['EMAIL', `${'a'.repeat(70)}@loja.example`, 'pixKey: must have at most 77 characters'],
  ['EMAIL', 'maria\u0000@loja.example', 'pixKey: may not hold control characters'],
  ['EVP', '4111 1111 1111 1111', 'pixKey: must be a random key such as 123e4567-e12b-12d1-a456-426655440000'],
])('a key of type %s such as %j is refused: %s', async (type, raw, message) => {
  const answer = await save(world, newTenant(), pix(type, raw));

  expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  if (typeof message === 'string') expect(answer.error?.message).toBe(message);
  else expect(answer.error?.message).toMatch(message);
});

test.each([
  [{ bankCode: '34' }, 'bankCode: must be the bank’s COMPE code of 3 digits'],
  [{ bankCode: '60701190' }, 'bankCode: must be the bank’s COMPE code of 3 digits'],
  [{ bankCode: undefined }, 'bankCode: is required'],
  [{ branch: '123456' }, 'branch: must be 1 to 5 digits, and a check digit after a hyphen if it has one'],
  [{ branch: '12-34' }, 'branch: must be 1 to 5 digits, and a check digit after a hyphen if it has one'],
  ...['X', '-1', '1-', '12-34', '1X2', '1'.repeat(21), `${'1'.repeat(20)}-1`, 'a'].map(
    (account): [object, string] => [
      { account },
      'account: must be 1 to 20 digits, of which the last may be an X or stand after a hyphen',
    ],
  ),
  [{ accountType: 'SALARY' }, 'accountType: must be one of CHECKING, SAVINGS'],
  [{ holderName: ' ' }, 'holderName: is required'],
  [{ holderName: 'a'.repeat(121) }, 'holderName: must have at most 120 characters'],
  [{ holderDocument: '1234' }, 'holderDocument: must be a CPF (11 digits) or CNPJ (14)'],
  [{ label: 'a'.repeat(61) }, 'label: must have at most 60 characters'],
  [{ label: 7 }, 'label: must be a text'],
  [{ type: 'PIX_KEY' }, 'type: must be PIX or BANK_ACCOUNT'],
])('an account with %j is refused: %s', async (changes, message) => {
  const answer = await save(world, newTenant(), { ...bankBody, ...changes });

  expect(answer).toMatchObject(refusal(message));
});

test.each(['1', '1234567890123456789-X', '12345678901234567890', '00012345X'])(
  'the account %s is one',
  async (account) => {
    const answer = await save(world, newTenant(), { ...bankBody, account });

    expect(answer).toMatchObject({ status: 201, data: { account } });
  },
);

describe('in production', () => {
  test.each([
    [pix('CPF', '111.444.777-05'), 'pixKey: its check digits are wrong'],
    [pix('CPF', '11111111111'), 'pixKey: its check digits are wrong'],
    [pix('CNPJ', '00038166000106'), 'pixKey: its check digits are wrong'],
    [{ ...bankBody, holderDocument: '12345678900' }, 'holderDocument: its check digits are wrong'],
    [{ ...bankBody, holderDocument: '11111111111111' }, 'holderDocument: its check digits are wrong'],
  ])('%j is refused: %s', async (body, message) => {
    expect(await save(world, newTenant('production'), body)).toMatchObject(refusal(message));
    expect((await save(world, newTenant('sandbox'), body)).status).toBe(201);
  });

  test.each([
    pix('CPF', '11144477735'),
    pix('CNPJ', '12ABC34501DE35'),
    newPixBody(),
    bankBody,
    { ...bankBody, holderDocument: '12.ABC.345/01DE-35' },
  ])('%j is kept', async (body) => {
    expect((await save(world, newTenant('production'), body)).status).toBe(201);
  });
});
