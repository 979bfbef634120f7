import { expect, test } from '@jest/globals';
import { api, type Endpoint, errorCatalogue, meta } from '@plataforma/contracts';
import { webhookExamples } from '@plataforma/contracts/webhook-examples';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { openApiDocument } from '../src/document.ts';
import { inside, isObject, operationsIn, type Schema } from '../src/schemas.ts';
import { expectOfAll, text } from './support/document.ts';

const document: unknown = JSON.parse(text);
const operations = new Map(operationsIn(document).map((one) => [one.operationId, one]));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const schemas = inside(closed(document), 'components', 'schemas');

/** Forbids additional properties in every object schema, so that an example with an unknown field fails. */
function closed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(closed);
  if (typeof json !== 'object' || json === null) return json;
  const copy = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, closed(value)]));
  const isOpen =
    [copy.type].flat().includes('object') && 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function expectValid(schema: unknown, value: unknown): void {
  const own = inside(closed(schema));
  // The components are added only to schemas with references, because other schemas compile ten times faster
  // without them.
  const isValid = ajv.compile(
    JSON.stringify(own).includes('"$ref"') ? { ...own, components: { schemas } } : own,
  );
  isValid(value);
  expect(isValid.errors ?? []).toEqual([]);
}

const examplesIn = (media: Schema) => [
  ...(media.example === undefined ? [] : [media.example]),
  ...Object.values(inside(media, 'examples')).map((one) => inside(one).value),
];

test('every answer has an example that fits its view exactly', () => {
  const all: [string, Endpoint][] = Object.entries(api);
  const answers = all.flatMap(([name, { status, otherStatus, data, paged }]) =>
    [
      { status, data },
      ...(otherStatus ? [{ status: otherStatus.status, data: otherStatus.data ?? data }] : []),
    ].map((one) => [`${name} ${one.status}`, { name, paged, ...one }] as const),
  );

  expectOfAll(answers, ({ name, status, data, paged }) => {
    const answer = inside(operations.get(name), 'responses', `${status}`);
    const { example } = inside(answer, 'content', 'application/json');
    const envelope = z.strictObject({
      success: z.literal(true),
      data: paged ? z.array(data).min(1) : data,
      ...(paged ? { meta } : {}),
    });
    expect(envelope.parse(example)).toEqual(example);
  });
});

test('every field of an answer has an example', () => {
  const advice = 'add its example to src/example-fields.ts, or to its schema by meta({ example })';

  const missing = new Set<string>();
  openApiDocument(api, (field) => missing.add(`${field}: ${advice}`));

  expect([...missing]).toEqual([]);
});

test('every failure code has an example', () => {
  const failures = Object.entries(inside(document, 'components', 'responses'));

  expect(failures.length).toBeGreaterThan(0);
  expectOfAll(failures, (failure, name) => {
    const media = inside(failure, 'content', 'application/json');
    const examples = inside(media, 'examples');

    expect(Object.keys(examples)).toEqual(
      name.split('.').filter((part) => !['keyed', 'deprecated'].includes(part)),
    );
    expect(Object.keys(errorCatalogue)).toEqual(expect.arrayContaining(Object.keys(examples)));
    for (const example of examplesIn(media)) expectValid(media.schema, example);
  });
});

test('every example body fits its schema', () => {
  const bodies = [...operations.values()].flatMap((operation) =>
    Object.values(inside(operation, 'requestBody', 'content'))
      .filter(isObject)
      .map((media) => [`${operation.operationId}`, media] as const),
  );

  expect(bodies.flatMap(([, media]) => examplesIn(media)).length).toBeGreaterThan(50);
  expectOfAll(bodies, (media) => {
    for (const example of examplesIn(media)) expectValid(media.schema, example);
  });
});

test('an event’s data fit the schema of its name', () => {
  const event = {
    id: '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
    resourceId: '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  };
  const sent = { ...event, sequence: 1, createdAt: '2026-11-21T12:00:00.000Z', event: 'charge.paid' };
  const data = webhookExamples.find(({ event: name }) => name === sent.event)?.data;

  expectValid(schemas.Event, { ...sent, data });
  expect(() => expectValid(schemas.Event, { ...sent, data: {} })).toThrow();
});

test('every integer has a format', () => {
  const found: string[] = [];
  const walk = (one: unknown, path: string): void => {
    if (typeof one !== 'object' || one === null) return;
    const isInteger = 'type' in one && [one.type].flat().includes('integer');
    if (isInteger && !('format' in one)) found.push(`${path}: take cents, sum or count of src/fields.ts`);
    for (const [name, inner] of Object.entries(one)) walk(inner, `${path}/${name}`);
  };
  walk(document, '');

  expect(found).toEqual([]);
});
