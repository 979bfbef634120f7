import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { edgeIn, expiry } from '../src/days.ts';
import { text } from '../src/fields.ts';
import { newDestination } from '../src/forms/new-destination.ts';
import { registration } from '../src/forms/registration.ts';
import { integerParam } from '../src/paging.ts';
import { document, email, phone } from '../src/party.ts';

const { cnpj } = registration.shape;
const [, bankAccount] = newDestination.options;
const { bankCode, branch, account } = bankAccount.shape;

test.each<[string, z.ZodType, string, string]>([
  ['a CPF', document, '123.456.789\u201109', '12345678909'],
  ['an alphanumeric CNPJ', document, '\u202a12.abc.345/01de\u201335\u202c', '12ABC34501DE35'],
  ['an alphanumeric CNPJ of a registration', cnpj, '12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['a numeric CNPJ of a registration', cnpj, '34.665.388/0001\u201161', '34665388000161'],
  ['an e-mail', email, 'Dono@loja.example\u200b', 'dono@loja.example'],
  ['a bank code', bankCode, '\u200b341', '341'],
  ['a branch', branch, '0001\u20119', '0001-9'],
  ['an account', account, '\u202a123.456\u2212x\u202c', '123456-X'],
])('%s is read the same when copied: %#', (_field, schema, copied, value) => {
  expect(schema.safeParse(copied)).toMatchObject({ success: true, data: value });
});

test.each([
  ['(11) 98765-4321', '11987654321'],
  ['+55 11 98765-4321', '11987654321'],
  ['+5511987654321', '11987654321'],
  ['5511987654321', '11987654321'],
  ['+55 (11) 3333-4444', '1133334444'],
  ['551133334444', '1133334444'],
  ['011 98765-4321', '11987654321'],
  ['+55 (011) 98765-4321', '11987654321'],
  ['015 11 98765-4321', '11987654321'],
  ['0055 11 98765-4321', '11987654321'],
  ['\u202a+55 11 98765\u20114321\u202c', '11987654321'],
  ['+55 11 8765-4321', '1187654321'],
  ['(55) 98765-4321', '55987654321'],
  ['(55) 3333-4444', '5533334444'],
  ['+55 55 98765-4321', '55987654321'],
  ['555533334444', '5533334444'],
  ['0800 123 4567', '08001234567'],
  ['+1 415 555 2671', '+14155552671'],
  ['00 351 912 345 678', '+351912345678'],
  ['351912345678', '351912345678'],
])('the phone number %j is read as %s', (written, read) => {
  expect(phone.safeParse(written)).toMatchObject({ success: true, data: read });
});

test.each(['98765-4321', '+55 11 98765', '+551198765432100', '11 98765-4321 ramal 2', '++5511987654321'])(
  'the phone number %j is refused',
  (written) => {
    expect(phone.safeParse(written).error?.issues).toMatchObject([
      { message: 'must be a phone number with area code' },
    ]);
  },
);

test.each(['3466538800016', '12345678909', '12ABC34501DEAA', '34665388000161٣'])(
  'a registration refuses %j as a CNPJ',
  (value) => {
    expect(cnpj.safeParse(value).error?.issues).toMatchObject([
      { message: 'must be a CNPJ of 14 characters: digits, or 12 letters and digits and 2 check digits' },
    ]);
  },
);

test.each([
  ['1', 1],
  ['007', 7],
  ['100', 100],
])('the parameter %p is read as %p', (written, value) => {
  expect(integerParam(1, 100).parse(written)).toBe(value);
});

test.each([
  '1e1',
  '0x10',
  '',
  ' 5',
  '5 ',
  '1_0',
  '+5',
  '٣',
  'NaN',
  '1.5',
  '0',
  '101',
  '-1',
  '99999999999999999999',
])('a parameter %p is refused', (written) => {
  expect(integerParam(1, 100).safeParse(written).success).toBe(false);
});

test.each(['\u0000', '\t', '\n', '\u001f', '\u007f', '\u0080', '\u0085', '\u009f'])(
  'a text or phone with %j inside is refused',
  (control) => {
    expect(text(10).safeParse(`a${control}b`).error?.issues).toMatchObject([
      { message: 'may not hold control characters' },
    ]);
    expect(phone.safeParse(`119${control}87654321`).error?.issues).toMatchObject([
      { message: 'may not hold control characters' },
    ]);
    expect([text(10).parse('a b\n'), phone.parse(' (11) 98765-4321\n')]).toEqual(['a b', '11987654321']);
  },
);

test.each([
  ['2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['2026-12-31T00:00:00-03:00', '2026-12-31T03:00:00.000Z'],
])('the expiry %s ends at %s', (written, over) => {
  expect(expiry.parse(written).toISOString()).toBe(over);
});

test.each([
  ['2026-12-31', '2027-01-01T03:00:00.000Z'],
  ['9999-12-30', '9999-12-31T03:00:00.000Z'],
  ['2026-12-31T23:00:00Z', '2026-12-31T23:00:00.000Z'],
])('the expiry %s ends at %s in São Paulo', (written, over) => {
  expect(edgeIn(expiry.parse(written), 'America/Sao_Paulo').toISOString()).toBe(over);
});

test.each(['9999-12-31', '9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59'])(
  'the expiry %s is outside the years 1 to 9999',
  (written) => {
    expect(expiry.safeParse(written).error?.issues).toMatchObject([
      { message: 'must lie in the years 1 to 9999, in UTC' },
    ]);
  },
);

test.each(['2026-13-01', '2026-12-31 00:00', '2026-12-31T00:00:00', 'tomorrow'])(
  'the expiry %s is refused',
  (written) => {
    expect(expiry.safeParse(written).error?.issues).toMatchObject([
      {
        message:
          'must be a day that exists, such as 2026-11-22, or an instant with seconds and Z or an offset, such as 2026-11-22T10:00:00-03:00; a + is %2B in a URL',
      },
    ]);
  },
);
