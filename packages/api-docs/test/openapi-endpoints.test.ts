import { describe, expect, test } from '@jest/globals';
import { type Endpoint, errorCatalogue, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import { all, expectOfAll, operationOf, statusesOf, text } from './support/document.ts';

const described = all.map(
  ([name, endpoint]) => [name, { endpoint, described: operationOf(endpoint) }] as const,
);

describe('each endpoint', () => {
  test('is documented under its name with the answer envelope', () => {
    expectOfAll(described, ({ endpoint, described }, name) => {
      const answer = described.responses[endpoint.status]?.content['application/json'].schema;

      expect(described.operationId).toBe(name);
      expect(answer).toMatchObject({
        type: 'object',
        properties: { success: { type: 'boolean' }, data: expect.anything() },
        required: expect.arrayContaining(['success', 'data']),
      });
      expect(JSON.stringify(answer).includes('"meta"')).toBe('paged' in endpoint);
    });
  });

  test('names its parameters', () => {
    expectOfAll(described, ({ endpoint, described }) => {
      const named = described.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param]) => `path ${param}`);

      expect(named).toEqual(expect.arrayContaining(inPath));
      expect(named.includes('header X-Environment')).toBe(endpoint.access.kind === 'merchant');
      if ('paged' in endpoint) expect(named).toEqual(expect.arrayContaining(['query page', 'query limit']));
    });
  });

  test('documents its credentials', () => {
    expectOfAll(described, ({ endpoint, described }) => {
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

  test('documents each failure under the status of its codes', () => {
    expectOfAll(described, ({ described }) => {
      const failures = Object.entries(described.responses).filter(([status]) => Number(status) >= 400);

      for (const [status, { description, content: answer, ...failure }] of failures) {
        const codes = Object.entries(errorCatalogue).filter(([code]) => description.includes(`\`${code}\`:`));
        expect(answer['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
        expect(failure).toHaveProperty('x-codes', codes.map(([code]) => code).toSorted());
        expect(codes.length).toBeGreaterThan(0);
        expect(new Set(codes.map(([, error]) => error.status))).toEqual(new Set([Number(status)]));
      }
    });
  });

  test('documents the failures of its access and path', () => {
    expectOfAll(described, ({ endpoint, described }) => {
      const statuses = statusesOf(described);
      const byAccess = { public: [], bearer: [401], merchant: [401, 403], operator: [401, 403] };
      const found = endpoint.path.includes(':id') ? [404] : [];

      const always = [400, 408, 414, 415, 429, 431, 500, 503];
      const expectedStatuses = [...always, ...found, ...byAccess[endpoint.access.kind]];
      expect(statuses).toEqual(expect.arrayContaining(expectedStatuses));
      for (const status of [429, 503])
        expect(described.responses[status]).toHaveProperty('headers.Retry-After');
    });
  });

  test('names the headers of its answers', () => {
    expectOfAll(described, ({ endpoint, described }) => {
      for (const { headers } of Object.values(described.responses)) {
        const named = Object.keys(headers ?? {});
        expect(named).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit-Remaining']));
        expect(named.includes('Idempotency-Replayed')).toBe('keyed' in endpoint);
      }
      const headerNames = described.parameters.map(({ name: header }) => header);
      expect(headerNames.includes('Idempotency-Key')).toBe('keyed' in endpoint);
    });
  });

  test('takes JSON, and a form only for a file', () => {
    const kinds = all.flatMap(([name, { path, method }]) => {
      const { requestBody = {} } = JSON.parse(text).paths[path.replace(/:(\w+)/g, '{$1}')][method];
      return Object.keys(requestBody.content ?? {}).map((kind) => `${name} ${kind}`);
    });

    expect(kinds.filter((kind) => !kind.endsWith(' application/json'))).toEqual([
      'createFile multipart/form-data',
    ]);
  });

  test('documents each file that it answers, with an example', () => {
    expectOfAll(described, ({ endpoint, described }) => {
      const { 'application/json': _json, ...files } = described.responses[endpoint.status]?.content ?? {};
      const { alsoAs = [] }: Endpoint = endpoint;
      const expected = alsoAs.map(({ mediaType, description, example }) => [
        mediaType,
        { schema: { type: 'string', description }, example },
      ]);

      expect(files).toEqual(Object.fromEntries(expected));
    });
  });

  test('documents a body only if it accepts one', () => {
    expectOfAll(described, ({ endpoint, described }) => {
      const body = schemaOf(endpoint, 'body');
      const empty = body.safeParse({});
      const takesOne =
        !empty.success || JSON.stringify(z.toJSONSchema(body, { io: 'input' })).includes('"properties":{"');

      expect(described.requestBody !== undefined).toBe(takesOne);
      expect(described.requestBody?.required ?? false).toBe(!empty.success);
      // The gateway reads the body of every request except a GET, even if the endpoint ignores the body, so
      // 413 is possible.
      expect(statusesOf(described).includes(413)).toBe(endpoint.method !== 'get');
    });
  });
});
