import { expect, test } from '@jest/globals';
import { api, type Endpoint, schemaOf } from '@plataforma/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { z } from 'zod';
import { inside, isObject, listIn, resolved, type Schema } from '../src/schemas.ts';
import { components, expectOfAll, operationOf } from './support/document.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

interface Field {
  name: string;
  described: Schema;
  read: (value: unknown) => z.ZodSafeParseResult<unknown>;
}

/**
 * The components are added only to schemas with references, because other schemas compile ten times faster
 * without them.
 */
const checkOf = (described: Schema) =>
  ajv.compile(JSON.stringify(described).includes('"$ref"') ? { ...described, components } : described);

function fieldsOf(endpoint: Endpoint): Field[] {
  const sent = operationOf(endpoint).requestBody?.content['application/json'].schema;
  if (!sent) return [];
  const body = resolved(sent, components.schemas);
  const shapes = 'oneOf' in body ? listIn(body, 'oneOf').filter(isObject) : [body];
  return shapes.flatMap((shape) => {
    const properties = inside(resolved(shape, components.schemas), 'properties');
    const only = ['type', 'paymentMethod'].flatMap((name) => {
      const { const: value, enum: values } = inside(properties, name);
      return name in properties ? [[name, value ?? (Array.isArray(values) ? values[0] : undefined)]] : [];
    });
    return Object.entries(properties).map(([name, described]) => ({
      name,
      described: inside(described),
      read: (value) => schemaOf(endpoint, 'body').safeParse({ ...Object.fromEntries(only), [name]: value }),
    }));
  });
}

function parametersOf(endpoint: Endpoint): Field[] {
  return operationOf(endpoint)
    .parameters.filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      name: parameter.name,
      described: inside(parameter, 'schema'),
      read: (value) => schemaOf(endpoint, 'query').safeParse({ [parameter.name]: value }),
    }));
}

const named = Object.entries<Endpoint>(api).flatMap(([operation, endpoint]) =>
  [...fieldsOf(endpoint), ...parametersOf(endpoint)].map(
    (field) => [`${operation} ${field.name}`, field] as const,
  ),
);

/**
 * Optional texts of bodies that create objects. Ids, webhook URLs, secrets, and all texts in bodies that
 * change objects must not be empty.
 */
const MAY_BE_EMPTY = new Set([
  'createCharge description',
  'createCharge payerEmail',
  'createCharge payerPhone',
  'createCharge statementDescriptor',
  'createDestination label',
  'createPaymentLink checkoutColor',
  'createPaymentLink color',
  'createPaymentLink payerDocument',
  'createPaymentLink payerName',
  'createPaymentLink returnUrl',
  'disputeSandboxCharge description',
  'failSandboxWithdrawal reason',
  'openCheckout payerDocument',
  'openCheckout payerName',
  'payByCard payerDocument',
  'payByCard payerName',
  'payByCard payerPhone',
  'reactivateMerchant reason',
  'refundCharge reason',
  'rejectSandboxWithdrawal reason',
  'resolveSandboxDispute resolution',
]);
const isOptionalText = (name: string) => MAY_BE_EMPTY.has(name) || /^replayDeadLetter\w+ reason$/.test(name);

test('an empty text is absent in optional fields, refused elsewhere', () => {
  expect(named.length).toBeGreaterThan(200);
  expect(named.map(([name]) => name)).toEqual(expect.arrayContaining([...MAY_BE_EMPTY]));
  expectOfAll(named, ({ name, described, read }, title) => {
    const refused = read('').error?.issues.filter(({ path }) => path[0] === name) ?? [];

    expect(refused.length === 0).toBe(isOptionalText(title));
    expect(checkOf(described)('')).toBe(isOptionalText(title));
  });
});

test('an empty text in metadata is valid', () => {
  const sent = named.filter(([, { name }]) => name === 'metadata');

  expect(sent.length).toBeGreaterThan(0);
  expectOfAll(sent, ({ described, read }) => {
    const entries = { loja: '' };
    const refused = read(entries).error?.issues.filter(({ path }) => path[0] === 'metadata') ?? [];

    expect(refused).toEqual([]);
    expect(checkOf(described)(entries)).toBe(true);
  });
});
