import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { bankBody, newPixBody, save } from '../support/destination-bodies.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

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
])('a key of type %s like %s is stored as %s', async (type, raw, stored) => {
  const { status, data } = await save(world, newTenant(), pix(type, raw));

  expect(status).toBe(201);
  expect(data).toMatchObject({ pixKeyType: type, pixKey: stored });
});

test.each<[string, string, ...string[]]>([
  ['CPF', 'a CPF of 11 digits', '1234567890', '52599927000121', '١٢٣٤٥٦٧٨٩٠٩', 'maria@loja.example'],
  ['CNPJ', 'a CNPJ of 14 characters', '12345678909'],
  ['EMAIL', 'an e-mail address of at most 77 characters', 'maria', 'maria@exemplo..com'],
  ['PHONE', 'a phone number with area code', '98765-4321', '987654321', 'maria@exemplo.com'],
  [
    'EVP',
    'a random key such as 123e4567-e12b-12d1-a456-426655440000',
    ...['12345678909', '123e4567', 'maria@exemplo.com', '4111 1111 1111 1111'],
  ],
])('a key of type %s must be %s', async (type, form, ...raw) => {
  const answers = await Promise.all(raw.map((key) => save(world, newTenant(), pix(type, key))));

  expect(answers).toMatchObject(raw.map(() => refusal(`pixKey: must be ${form}`)));
});

test.each(['1', '1234567890123456789-X', '12345678901234567890', '00012345X'])(
  'the account number %s is accepted',
  async (account) => {
    const answer = await save(world, newTenant(), { ...bankBody, account });

    expect(answer).toMatchObject({ status: 201, data: { account } });
  },
);

describe('a destination in production', () => {
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
  ])('%j is accepted', async (body) => {
    expect((await save(world, newTenant('production'), body)).status).toBe(201);
  });
});
