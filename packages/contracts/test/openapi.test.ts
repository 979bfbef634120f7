import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { api, endpoints, errorCatalogue, openApiDocument, webhookEvents } from '../src/index.ts';

const text = JSON.stringify(openApiDocument(api));
const withSchema = z.looseObject({ schema: z.record(z.string(), z.unknown()) });
const content = z.object({ 'application/json': withSchema });
const answer = z.looseObject({
  description: z.string().min(1),
  content,
  headers: z.record(z.string(), z.unknown()).optional(),
});
const { components } = z
  .looseObject({
    components: z.looseObject({
      schemas: z.record(z.string(), z.unknown()),
      responses: z.record(z.string(), answer),
    }),
  })
  .parse(JSON.parse(text));
const reference = z
  .object({ $ref: z.string() })
  .transform(({ $ref }) => components.responses[$ref.replace('#/components/responses/', '')])
  .pipe(answer);
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).default([]),
  requestBody: z.object({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string(), z.union([reference, answer])),
});
const document = z
  .looseObject({
    info: z.looseObject({ description: z.string() }),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    webhooks: z.record(z.string(), z.object({ post: z.looseObject({ requestBody: z.object({ content }) }) })),
  })
  .parse(JSON.parse(text));

const all = Object.entries(api);
type ApiName = keyof typeof api;

function operationOf({ path, method }: { path: string; method: string }): z.infer<typeof operation> {
  const found = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method];
  if (!found) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

const statusesOf = (described: z.infer<typeof operation>) => Object.keys(described.responses).map(Number);

/** The codes named in the answer with this status. */
const codesOf = (name: ApiName, status: number) =>
  [...(operationOf(api[name]).responses[status]?.description ?? '').matchAll(/`([A-Z_]+)`:/g)].map(
    ([, code]) => code,
  );

/** Checks every one, and fails with all that is wrong, by name. */
function demandOfAll<T>(
  named: readonly (readonly [string, T])[],
  check: (one: T, name: string) => void,
): void {
  const wrong = named.flatMap(([name, one]) => {
    try {
      check(one, name);
      return [];
    } catch (error) {
      return [`${name}: ${stripVTControlCharacters(String(error))}`];
    }
  });
  expect(wrong).toEqual([]);
}

const described = all.map(
  ([name, endpoint]) => [name, { endpoint, described: operationOf(endpoint) }] as const,
);

describe('each endpoint', () => {
  test('stands in the document under its name, with its answer in the envelope', () => {
    demandOfAll(described, ({ endpoint, described }, name) => {
      const answer = described.responses[endpoint.status]?.content['application/json'].schema;

      expect(described.operationId).toBe(name);
      expect(answer).toMatchObject({
        type: 'object',
        properties: { success: { const: true }, data: expect.anything() },
        required: expect.arrayContaining(['success', 'data']),
      });
      expect(JSON.stringify(answer).includes('"meta"')).toBe('paged' in endpoint);
    });
  });

  test('names its parameters', () => {
    demandOfAll(described, ({ endpoint, described }) => {
      const named = described.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param]) => `path ${param}`);

      expect(named).toEqual(expect.arrayContaining(inPath));
      expect(named.includes('header X-Environment')).toBe(endpoint.access.kind === 'merchant');
      if ('paged' in endpoint) expect(named).toEqual(expect.arrayContaining(['query page', 'query limit']));
    });
  });

  test('says which credentials it takes', () => {
    demandOfAll(described, ({ endpoint, described }) => {
      const { access } = endpoint;
      const expected = {
        public: [],
        bearer: [{ bearer: [] }],
        operator: [{ bearer: [] }],
        merchant: [{ apiKey: 'anyOf' in access ? [...access.anyOf] : [] }, { bearer: [] }],
      };

      expect(described.security).toEqual(expected[access.kind]);
    });
  });

  test('has every failure in the failure envelope, under the status of its codes', () => {
    demandOfAll(described, ({ described }) => {
      const failures = Object.entries(described.responses).filter(([status]) => Number(status) >= 400);

      for (const [status, { description, content: answer }] of failures) {
        expect(answer['application/json'].schema).toEqual({ $ref: '#/components/schemas/Failure' });
        const codes = Object.entries(errorCatalogue).filter(([code]) => description.includes(`\`${code}\`:`));
        expect(codes.length).toBeGreaterThan(0);
        expect(new Set(codes.map(([, error]) => error.status))).toEqual(new Set([Number(status)]));
      }
    });
  });

  test('can fail as everything that is called like it can', () => {
    demandOfAll(described, ({ endpoint, described }) => {
      const statuses = statusesOf(described);
      const byAccess = { public: [], bearer: [401], merchant: [401, 403], operator: [401, 403] };
      const found = endpoint.path.includes(':id') ? [404] : [];

      expect(statuses).toEqual(
        expect.arrayContaining([
          400,
          408,
          414,
          415,
          429,
          431,
          500,
          503,
          ...found,
          ...byAccess[endpoint.access.kind],
        ]),
      );
      for (const status of [429, 503])
        expect(described.responses[status]).toHaveProperty('headers.Retry-After');
    });
  });

  test('names the headers of its answers', () => {
    demandOfAll(described, ({ endpoint, described }) => {
      for (const { headers } of Object.values(described.responses)) {
        const named = Object.keys(headers ?? {});
        expect(named).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit-Remaining']));
        expect(named.includes('Idempotency-Replayed')).toBe('keyed' in endpoint);
      }
      const asked = described.parameters.map(({ name: header }) => header);
      expect(asked.includes('Idempotency-Key')).toBe('keyed' in endpoint);
    });
  });

  test('describes a body when it takes one', () => {
    demandOfAll(described, ({ endpoint, described }) => {
      const empty = endpoint.body.safeParse({});
      const takesOne =
        !empty.success ||
        JSON.stringify(z.toJSONSchema(endpoint.body, { io: 'input' })).includes('"properties":{"');

      expect(described.requestBody !== undefined).toBe(takesOne);
      expect(described.requestBody?.required ?? false).toBe(!empty.success);
      // A body that is not looked at is read all the same.
      expect(statusesOf(described).includes(413)).toBe(endpoint.method !== 'get');
    });
  });
});

describe('an example', () => {
  const shown = all.flatMap(([name, endpoint]) =>
    'examples' in endpoint
      ? endpoint.examples.map((example, index) => ({ name, endpoint, example, number: `${index + 1}` }))
      : [],
  );

  test('is there for every body a merchant sends', () => {
    const without = all
      .filter(([, endpoint]) => endpoint.access.kind !== 'operator' && operationOf(endpoint).requestBody)
      .filter(([, endpoint]) => !('examples' in endpoint));

    expect(without.map(([name]) => name)).toEqual([]);
  });

  test('is what its endpoint takes', () => {
    const named = shown.map((one) => [`${one.name}: ${one.example.summary}`, one] as const);
    demandOfAll(named, ({ endpoint, example, number }) => {
      const read = endpoint.body.safeParse(example.body);

      expect(read.error).toBeUndefined();
      // A field the schema does not know would be dropped, and the example would show what does nothing.
      expect(Object.keys(Object(read.data))).toEqual(expect.arrayContaining(Object.keys(example.body)));
      expect(operationOf(endpoint).requestBody?.content['application/json']).toHaveProperty(
        ['examples', number],
        { summary: example.summary, value: example.body },
      );
    });
  });
});

describe('the document', () => {
  test('is one of OpenAPI 3.1, by the schema of its makers', async () => {
    const validator = new Validator();

    const { errors } = await validator.validate(JSON.parse(text));

    expect(errors).toBeUndefined();
    expect(validator.version).toBe('3.1');
  });

  test('has nothing besides the endpoints, each under a name of its own', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

    expect(operations).toHaveLength(endpoints.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(endpoints.length);
  });

  test('sorts its operations, those of operators apart, under names that it explains', () => {
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

  test('refers to nothing that is not there, and forbids no field we may add to an answer', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

    expect(references.length).toBeGreaterThan(0);
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(references));
    expect(text.includes('"additionalProperties":false')).toBe(false);
  });

  test('tells every event there is, with its fields', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(webhookEvents));
    for (const [event, schema] of Object.entries(webhookEvents)) {
      const sent = document.webhooks[event]?.post.requestBody.content['application/json'].schema;
      const fields = Object.keys(schema.shape).toSorted();
      expect(sent).toHaveProperty('properties.event.const', event);
      expect(sent).toHaveProperty('properties.data.properties');
      const { properties } = z
        .object({
          properties: z.object({ data: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
        })
        .parse(sent);
      expect(Object.keys(properties.data.properties).toSorted()).toEqual(fields);
    }
  });
});

describe('an endpoint that moves money answers', () => {
  test('with exactly these statuses', () => {
    const answered: [ApiName, number[]][] = [
      ['createCharge', [200, 201, 400, 401, 402, 403, 408, 409, 413, 414, 415, 429, 431, 500, 502, 503]],
      ['getCharge', [200, 400, 401, 403, 404, 408, 414, 415, 429, 431, 500, 503]],
      ['getCheckout', [200, 400, 404, 408, 414, 415, 429, 431, 500, 503]],
      ['cancelCharge', [200, 400, 401, 403, 404, 408, 409, 413, 414, 415, 429, 431, 500, 502, 503]],
      ['refundCharge', [200, 202, 400, 401, 403, 404, 408, 409, 413, 414, 415, 422, 429, 431, 500, 502, 503]],
      ['simulatePayment', [200, 400, 401, 403, 404, 408, 409, 413, 414, 415, 429, 431, 500, 502, 503]],
      ['sendEvidence', [200, 400, 401, 403, 404, 408, 409, 413, 414, 415, 429, 431, 500, 503]],
      ['createWebhookConfiguration', [201, 400, 401, 403, 408, 409, 413, 414, 415, 422, 429, 431, 500, 503]],
    ];
    demandOfAll(
      answered.map(([name, statuses]) => [name, { name, statuses }] as const),
      ({ name, statuses }) => {
        expect(statusesOf(operationOf(api[name])).toSorted((a, b) => a - b)).toEqual(statuses);
      },
    );
  });

  test('with codes that say what a status means', () => {
    const meanings: [ApiName, number, string[]][] = [
      ['createCharge', 402, ['CARD_DECLINED']],
      [
        'createCharge',
        403,
        ['CARD_NOT_ENABLED', 'MERCHANT_SUSPENDED', 'INSUFFICIENT_SCOPE', 'IP_NOT_ALLOWED'],
      ],
      ['createCharge', 409, ['EXTERNAL_ID_CONFLICT']],
      ['createCharge', 503, ['PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE']],
      ['cancelCharge', 409, ['CHARGE_NOT_CANCELLABLE']],
      ['refundCharge', 400, ['VALIDATION_ERROR', 'REFUND_NOT_SUPPORTED']],
      ['refundCharge', 409, ['CHARGE_NOT_REFUNDABLE', 'REQUEST_IN_PROGRESS']],
      ['refundCharge', 422, ['INSUFFICIENT_BALANCE']],
      ['simulatePayment', 403, ['SANDBOX_ONLY']],
      ['sendEvidence', 409, ['INVALID_STATE']],
      ['register', 409, ['ACCOUNT_EXISTS']],
      ['logIn', 401, ['INVALID_CREDENTIALS']],
    ];
    const named = meanings.map(
      ([name, status, codes]) => [`${name} ${status}`, { name, status, codes }] as const,
    );
    demandOfAll(named, ({ name, status, codes }) => {
      expect(codesOf(name, status)).toEqual(expect.arrayContaining(codes));
    });
  });
});
