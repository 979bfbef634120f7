import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { api, type Endpoint, schemaOf } from '../src/index.ts';

function fieldsOf(schema: z.ZodType): [string, z.ZodType][] {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return schema.options.flatMap((option) => (option instanceof z.ZodType ? fieldsOf(option) : []));
  }
  return schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : [];
}

const bodies = Object.values<Endpoint>(api).filter(({ fromProvider }) => !fromProvider);
const fields = bodies.flatMap((endpoint) => fieldsOf(schemaOf(endpoint, 'body')));
const namesOf = (chosen: typeof fields) => [...new Set(chosen.map(([name]) => name))].toSorted();
const readBy = (text: string) => (field: (typeof fields)[number]) => field[1].safeParse(text).data;

test('invisible characters are removed from prose but not from identifiers', () => {
  const sent = 'abcdefgh\u200b\u202eijklmnop';
  const read = readBy(sent);

  const visible = fields.filter((field) => read(field) === 'abcdefghijklmnop');
  const exact = fields.filter((field) => read(field) === sent);

  expect(namesOf(visible)).toEqual([
    'companyName',
    'description',
    'holderName',
    'label',
    'name',
    'note',
    'payerName',
    'reason',
    'resolution',
  ]);
  expect(namesOf(exact)).toEqual([
    'bankReference',
    'cardToken',
    'currentPassword',
    'externalId',
    'externalIdPrefix',
    'newPassword',
    'otp',
    'password',
    'pixKey',
    'providerTxId',
    'refreshToken',
    'secret',
    'url',
  ]);
});

const schemaOfField = (endpoint: Endpoint, name: string) =>
  fieldsOf(schemaOf(endpoint, 'body')).find(([each]) => each === name)?.[1] ?? z.never();
const companyName = schemaOfField(api.register, 'companyName');
const payerName = schemaOfField(api.createCharge, 'payerName');
const description = schemaOfField(api.createCharge, 'description');

test.each<[string, z.ZodType, string, string]>([
  ['a payer’s name with a heart', payerName, 'Maria \u2764\ufe0f', 'Maria'],
  ['a payer’s name in decomposed form', payerName, 'Jose\u0301', 'José'],
  ['an accent after an invisible character', payerName, 'Jose\u034f\u0301', 'José'],
  ['an accent on a removed character', payerName, 'Ana*\u0301', 'Ana'],
  ['a company’s name with a direction override', companyName, 'Loja \u202eod Zé', 'Loja od Zé'],
  ['a description of two lines', description, 'Pedido 1001\r\nentrega hoje', 'Pedido 1001 entrega hoje'],
  ['a description with emoji', description, '👩🏽‍💻 obrigado ❤️', '👩🏽‍💻 obrigado ❤️'],
  ['a description of another script', description, 'متجر 店', 'متجر 店'],
])('%s is reduced to its visible text', (_kind, schema, sent, read) => {
  expect(schema.safeParse(sent)).toMatchObject({ success: true, data: read });
});

test.each([
  ['companyName', companyName, '\u200b\u200b'],
  ['payerName', payerName, '\u2764\ufe0f'],
  ['payerName', payerName, '\u0301'],
  ['payerName', payerName, '\u20e3'],
  ['payerName', payerName, '\u034f'],
  ['payerName', payerName, '\u3164'],
])('%s without visible characters counts as missing: %#', (_name, schema, sent) => {
  expect(schema.safeParse(sent).error?.issues).toMatchObject([{ code: 'too_small', minimum: 1 }]);
});

test.each(['', ' ', '\n', '\u200b', '\u0301'])('an optional description of %j counts as absent', (sent) => {
  expect(description.safeParse(sent)).toEqual({ success: true, data: undefined });
});
