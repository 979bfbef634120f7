import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { codeWith, field, staticCode } from '../support/qr-codes.ts';
import { startDecoder } from '../support/qr-decoder.ts';

const decoder = worldOfFile(startDecoder);

const EVP = '123e4567-e12b-12d1-a456-426655440000';
const payee = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };

describe('a static code', () => {
  test('from the central bank’s manual is read without a request', async () => {
    const { status, data } = await decoder.decode(
      ` 00020126580014br.gov.bcb.pix0136${EVP}5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D\n`,
    );

    expect(status).toBe(200);
    expect(data).toEqual({ pixKey: EVP, pixKeyType: 'EVP', amount: 0, ...payee, txid: '***' });
  });

  test('gives its amount and txid', async () => {
    const { data } = await decoder.decode(staticCode('arya@stark.com', { amount: '125.5', txid: 'RP1234' }));

    expect(data).toEqual({
      pixKey: 'arya@stark.com',
      pixKeyType: 'EMAIL',
      amount: 12550,
      ...payee,
      txid: 'RP1234',
    });
  });

  test.each([
    [EVP.toUpperCase(), 'EVP', EVP],
    ['Arya@Stark.com', 'EMAIL', 'arya@stark.com'],
    ['+5511987654321', 'PHONE', '+5511987654321'],
    ['52513127765', 'CPF', '52513127765'],
    ['00038166000105', 'CNPJ', '00038166000105'],
    ['12abc34501de35', 'CNPJ', '12ABC34501DE35'],
  ])('with the key %s gives type %s: %s', async (printed, pixKeyType, pixKey) => {
    expect(await decoder.decode(staticCode(printed))).toMatchObject({
      status: 200,
      data: { pixKey, pixKeyType },
    });
  });

  test('is never refused as a card number', async () => {
    const runs = Array.from({ length: 40 }, (_, n) => staticCode('arya@stark.com', { txid: `${4000 + n}` }));
    const statuses = [];
    for (const code of runs) statuses.push((await decoder.decode(code)).status);

    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

test.each([
  ['a damaged code', staticCode(EVP).replace('Fulano', 'Ciclano'), /checksum/],
  ['other text', 'hello', /checksum/],
  ['a key of an unknown type', staticCode('not-a-key'), 'the key in the code is not a Pix key'],
  [
    'a code for cash withdrawal',
    codeWith({ account: field('01', EVP) + field('03', '12345678') }),
    'the code hands out cash at a counter, which a withdrawal can’t do',
  ],
  [
    'a code that only offers a recurring Pix',
    codeWith({
      account: '',
      more: field('80', field('00', 'br.gov.bcb.pix') + field('25', 'pix.example.com/qr/v2/rec/1')),
    }),
    'the code only offers a recurring Pix, which a withdrawal can’t accept',
  ],
])('%s is refused as INVALID_QR_CODE', async (_what, code, message) => {
  const answer = await decoder.decode(code);

  expect(answer).toMatchObject({ status: 422, error: { code: 'INVALID_QR_CODE' } });
  expect(answer.error?.message).toMatch(message);
});

test.each([
  [undefined, 'brCode: is required'],
  ['  ', 'brCode: is required'],
  [12, 'brCode: must be a text'],
  ['0'.repeat(513), 'brCode: must have at most 512 characters'],
])('%j is refused before decoding: %s', async (brCode, message) => {
  expect(await decoder.decode(brCode)).toMatchObject({
    status: 400,
    error: { code: 'VALIDATION_ERROR', message },
  });
});
