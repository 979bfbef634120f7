import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { api, type Endpoint, schemaOf } from '../src/index.ts';
import { components, demandOfAll, operationOf } from './support/document.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const schema = z.record(z.string(), z.unknown());
const fields = z.looseObject({ properties: z.record(z.string(), schema).default({}) });
const parameters = z.array(z.looseObject({ in: z.string(), name: z.string(), schema }));

interface Field {
  name: string;
  described: Record<string, unknown>;
  read: (value: unknown) => z.ZodSafeParseResult<unknown>;
}

/** A schema that refers to nothing is compiled in a tenth of the time without the others. */
const checkOf = (described: Record<string, unknown>) =>
  ajv.compile(JSON.stringify(described).includes('"$ref"') ? { ...described, components } : described);

const resolved = ({ $ref }: Record<string, unknown>) =>
  typeof $ref === 'string' ? components.schemas[$ref.replace('#/components/schemas/', '')] : undefined;

/** The fields of a body, of each of its shapes. */
function fieldsOf(endpoint: Endpoint): Field[] {
  const body = operationOf(endpoint).requestBody?.content['application/json'].schema;
  if (!body) return [];
  const shapes = Array.isArray(body.oneOf) ? z.array(schema).parse(body.oneOf) : [body];
  return shapes.flatMap((shape) => {
    const { properties } = fields.parse(resolved(shape) ?? shape);
    const only = Object.entries(properties).flatMap(([name, { const: value, enum: values }]) => {
      const first = value ?? (Array.isArray(values) ? values[0] : undefined);
      return ['type', 'paymentMethod'].includes(name) ? [[name, first]] : [];
    });
    return Object.entries(properties).map(([name, described]) => ({
      name,
      described,
      read: (value) => schemaOf(endpoint, 'body').safeParse({ ...Object.fromEntries(only), [name]: value }),
    }));
  });
}

function parametersOf(endpoint: Endpoint): Field[] {
  return parameters
    .parse(operationOf(endpoint).parameters)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema: described }) => ({
      name,
      described,
      read: (value) => schemaOf(endpoint, 'query').safeParse({ [name]: value }),
    }));
}

const named = Object.entries<Endpoint>(api).flatMap(([operation, endpoint]) =>
  [...fieldsOf(endpoint), ...parametersOf(endpoint)].map(
    (field) => [`${operation} ${field.name}`, field] as const,
  ),
);

test('an empty text is refused in every field and parameter, and its schema says so', () => {
  expect(named.length).toBeGreaterThan(200);
  demandOfAll(named, ({ name, described, read }) => {
    const refused = read('').error?.issues.filter(({ path }) => path[0] === name) ?? [];
    const isFit = checkOf(described);

    expect(refused.length).toBeGreaterThan(0);
    expect(isFit('')).toBe(false);
  });
});

test('an empty text of metadata is kept', () => {
  const sent = named.filter(([, { name }]) => name === 'metadata');

  expect(sent.length).toBeGreaterThan(0);
  demandOfAll(sent, ({ described, read }) => {
    const entries = { loja: '' };
    const refused = read(entries).error?.issues.filter(({ path }) => path[0] === 'metadata') ?? [];

    expect(refused).toEqual([]);
    expect(checkOf(described)(entries)).toBe(true);
  });
});
