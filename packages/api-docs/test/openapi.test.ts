import { describe, expect, test } from '@jest/globals';
import { endpoints, webhookEvents } from '@plataforma/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { inside, resolved } from '../src/schemas.ts';
import { all, components, document, expectOfAll, operationOf, text } from './support/document.ts';

describe('an example', () => {
  const shown = all.flatMap(([name, endpoint]) =>
    'examples' in endpoint
      ? endpoint.examples.map((example, index) => ({ name, endpoint, example, number: `${index + 1}` }))
      : [],
  );

  test('exists for every body that a merchant sends', () => {
    const without = all
      .filter(([, endpoint]) => endpoint.access.kind !== 'operator' && operationOf(endpoint).requestBody)
      .filter(([, endpoint]) => !('examples' in endpoint));

    expect(without.map(([name]) => name)).toEqual([]);
  });

  test('is accepted by its endpoint', () => {
    const named = shown.map((one) => [`${one.name}: ${one.example.summary}`, one] as const);
    expectOfAll(named, ({ endpoint, example, number }) => {
      // An example shows a file by its name, so the test replaces the name by a file.
      const body =
        'file' in example.body ? { ...example.body, file: new File(['%PDF-'], 'a.pdf') } : example.body;
      const read = endpoint.body.safeParse(body);

      expect(read.error).toBeUndefined();
      // The schema drops unknown fields. Without this check an example could show a field that has no effect.
      expect(Object.keys(Object(read.data))).toEqual(expect.arrayContaining(Object.keys(example.body)));
      expect(operationOf(endpoint).requestBody?.content['application/json']).toHaveProperty(
        ['examples', number],
        { summary: example.summary, value: example.body },
      );
    });
  });
});

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();

    const { errors } = await validator.validate(JSON.parse(text));

    expect(errors).toBeUndefined();
    expect(validator.version).toBe('3.1');
  });

  test('has only the endpoints, each with a unique name', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

    expect(operations).toHaveLength(endpoints.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(endpoints.length);
  });

  test('groups operations under described tags, operators apart', () => {
    const { tags } = z
      .looseObject({ tags: z.array(z.object({ name: z.string(), description: z.string() })) })
      .parse(JSON.parse(text));
    const described = tags.map(({ name }) => name);

    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { tags: used } of Object.values(methods)) {
        expect(described).toEqual(expect.arrayContaining(z.array(z.string()).length(1).parse(used)));
        expect(String(used).startsWith('operators')).toBe(path.startsWith('/v1/admin/'));
      }
    }
  });

  test('has no missing reference and allows new fields', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

    expect(references.length).toBeGreaterThan(0);
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(references));
    expect(text.includes('"additionalProperties":false')).toBe(false);
  });

  test('describes every event with its fields', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(webhookEvents));
    for (const [event, schema] of Object.entries(webhookEvents)) {
      const sent = document.webhooks[event]?.post.requestBody.content['application/json'].schema;
      const data = resolved(inside(sent, 'properties', 'data'), components.schemas);
      expect(sent).toHaveProperty('properties.event.const', event);
      expect(Object.keys(inside(data, 'properties')).toSorted()).toEqual(
        Object.keys(schema.shape).toSorted(),
      );
    }
  });
});
