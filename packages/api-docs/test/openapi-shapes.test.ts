import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { inside, isObject, listIn, nameIn, type Schema } from '../src/schemas.ts';
import { all, components, expectOfAll, operationOf, text } from './support/document.ts';

/** Returns every object of the document with its path. Examples are left out. */
function objectsIn(json: unknown, path = ''): [string, Schema][] {
  if (Array.isArray(json)) return json.flatMap((one, index) => objectsIn(one, `${path}/${index}`));
  if (!isObject(json)) return [];
  const inner = Object.entries(json).filter(([name]) => name !== 'example' && name !== 'examples');
  return [[path, json], ...inner.flatMap(([name, value]) => objectsIn(value, `${path}/${name}`))];
}

const objects = objectsIn(JSON.parse(text));

test('every oneOf is a named schema of named schemas', () => {
  const unions = objects.filter(([, { oneOf }]) => Array.isArray(oneOf));
  const inline = unions.filter(
    ([path, schema]) =>
      !/^\/components\/schemas\/\w+$/.test(path) ||
      listIn(schema, 'oneOf').some((one) => !isObject(one) || nameIn(one) === undefined),
  );

  expect(unions.map(([path]) => path)).toContain('/components/schemas/NewCharge');
  expect(inline.map(([path]) => path)).toEqual([]);
});

test('a field that every alternative requires is the discriminator', () => {
  const schemas = z.record(z.string(), z.looseObject({})).parse(components.schemas);
  const discriminators = Object.entries(schemas).flatMap(([name, { oneOf, discriminator }]) =>
    oneOf ? [[name, inside({ discriminator }, 'discriminator').propertyName]] : [],
  );

  expect(Object.fromEntries(discriminators)).toEqual({
    // This body has no discriminator, because a Pix charge may omit `paymentMethod`.
    NewCharge: undefined,
    NewDestination: 'type',
    NewQuote: 'type',
    Destination: 'type',
    Event: 'event',
    WebhookPayload: 'event',
    TimelineSubject: 'kind',
  });
  expect(schemas.NewDestination).toHaveProperty('discriminator.mapping', {
    PIX: '#/components/schemas/NewPixDestination',
    BANK_ACCOUNT: '#/components/schemas/NewBankDestination',
  });
});

test('null is in a type list or beside a reference', () => {
  const refers = (one: unknown) => isObject(one) && nameIn(one) !== undefined;
  const beside = objects.flatMap(([, schema]) =>
    listIn(schema, 'anyOf').some(refers) ? listIn(schema, 'anyOf') : [],
  );
  const alone = objects.filter(([, schema]) => schema.type === 'null' && !beside.includes(schema));

  expect(alone.map(([path]) => path)).toEqual([]);
  expect(components.schemas.ChargeCreatedData).toHaveProperty('properties.paidAt.type', ['string', 'null']);
});

test('no constant is boolean and no anyOf has only texts', () => {
  const isText = (one: unknown) => isObject(one) && [one.type].flat().includes('string');
  const unread = objects.filter(([, schema]) => {
    const [first, ...others] = listIn(schema, 'anyOf');
    return typeof schema.const === 'boolean' || (others.length > 0 && [first, ...others].every(isText));
  });

  expect(unread.map(([path]) => path)).toEqual([]);
  expect(components.schemas.Error).toHaveProperty('properties.success.type', 'boolean');
});

test('a failure code is open, and operations list all codes', () => {
  const { properties, required } = z
    .looseObject({
      properties: z.looseObject({ error: z.looseObject({ properties: z.unknown() }) }),
      required: z.unknown(),
    })
    .parse(components.schemas.Error);
  const codesIn = (one: object) => z.looseObject({ 'x-codes': z.array(z.string()) }).parse(one)['x-codes'];

  expect(required).toEqual(['success', 'error']);
  expect(properties.error).toMatchObject({ required: ['code', 'message'] });
  expect(properties.error.properties).not.toHaveProperty('code.enum');
  expectOfAll(all, (endpoint) => {
    const operation = operationOf(endpoint);
    const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    expect(codesIn(operation)).toEqual(failures.flatMap(([, failure]) => codesIn(failure)).toSorted());
  });
});
