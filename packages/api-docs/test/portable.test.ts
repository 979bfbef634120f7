import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { portablePattern } from '../src/portable.ts';
import { components, operationOf } from './support/document.ts';

test.each<[string, string | null]>([
  ['^\\d{3}$', '^[0-9]{3}$'],
  ['^[\\w.:-]{1,128}$', '^[A-Za-z0-9_.:-]{1,128}$'],
  ['^image\\/(?:png|jpeg);[A-Za-z0-9+/]+={0,2}$', '^image/(png|jpeg);[A-Za-z0-9+/]+={0,2}$'],
  ['^[^\\s[\\]\\p{Cc}]+$', null],
  ['^P(?!$)([0-9]+D)?$', null],
  ['^\\S+$', null],
  ['(a)\\1', null],
])('the pattern %s is published as %s', (pattern, portable) => {
  expect(portablePattern(pattern)).toBe(portable);
});

const [charge] = api.createCharge.examples.map(({ body }) => body);
const [, bank] = api.createDestination.examples.map(({ body }) => body);

test.each([
  ['a colour', api.changeAccount, { checkoutColor: ' #FFAA00 ' }],
  ['a bank code', api.createDestination, { ...bank, bankCode: ' 341 ' }],
  ['a name of metadata', api.createCharge, { ...charge, metadata: { seção: 'sul' } }],
])('%s that the server takes passes the published schema', (_name, endpoint, sent) => {
  const schema = operationOf(endpoint).requestBody?.content['application/json'].schema;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  expect(endpoint.body.safeParse(sent).error).toBeUndefined();
  expect(ajv.validate({ ...schema, components }, sent)).toBe(true);
});
