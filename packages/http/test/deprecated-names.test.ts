import { expect, test } from '@jest/globals';
import { openApiDocument } from '@plataforma/api-docs/openapi';
import { api, type Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { send, serving, worldOfFile } from '@plataforma/testing/fixtures';
import { z } from 'zod';
import { serveTo } from '../src/index.ts';

interface Schema {
  $ref?: string | undefined;
  deprecated?: boolean | undefined;
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  oneOf?: Schema[] | undefined;
}
const schema: z.ZodType<Schema> = z.looseObject({
  $ref: z.string().optional(),
  deprecated: z.boolean().optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get oneOf() {
    return schema.array().optional();
  },
});
const operation = z.looseObject({
  operationId: z.string(),
  deprecated: z.boolean().optional(),
  parameters: z
    .array(
      z.looseObject({ $ref: z.string().optional(), name: z.string().optional(), schema: schema.optional() }),
    )
    .default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema })) }).optional(),
});
const { paths, components } = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({ schemas: z.record(z.string(), schema) }),
  })
  .parse(JSON.parse(JSON.stringify(openApiDocument(api))));

/** Returns the deprecated names in a schema, each name with its path. */
function deprecatedIn({ $ref, properties = {}, items, oneOf = [] }: Schema): string[] {
  const named = $ref && components.schemas[$ref.split('/').at(-1) ?? ''];
  if (named) return deprecatedIn(named);
  const own = Object.entries(properties).flatMap(([name, field]) =>
    field.deprecated ? [name] : deprecatedIn(field).map((inner) => `${name}.${inner}`),
  );
  return [...new Set([...own, ...(items ? deprecatedIn(items) : []), ...oneOf.flatMap(deprecatedIn)])];
}

interface Older {
  operation: string;
  part: 'operation' | 'query' | 'body';
  name: string;
}

const older: Older[] = Object.values(paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ operationId, deprecated, parameters, requestBody }): Older[] => {
    const names = (part: Older['part'], all: string[]) =>
      all.map((name): Older => ({ operation: operationId, part, name }));
    const bodies = Object.values(requestBody?.content ?? {}).map((body) => body.schema);
    const inQuery = parameters.flatMap((one) =>
      one.schema?.deprecated || one.deprecated ? [String(one.name)] : [],
    );
    return [
      ...(deprecated ? names('operation', ['']) : []),
      ...names('query', inQuery),
      ...names('body', bodies.flatMap(deprecatedIn)),
    ];
  }),
);

const server = worldOfFile(() =>
  serving((app) => {
    for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
      if (!older.some((one) => one.operation === name)) continue;
      const { keyed: _keyed, ...unkeyed } = endpoint;
      serveTo<Endpoint, null>(
        app,
        { ...unkeyed, path: `/${name}` },
        {
          authenticate: () => null,
          answer: () => Promise.reject(new Refusal('missing', 'NOT_FOUND', 'nothing is here')),
        },
      );
    }
  }),
);

async function headersOf({ operation: name, part, name: field }: Older) {
  const { method } = Object.entries<Endpoint>(api).find(([each]) => each === name)?.[1] ?? {};
  const hasBody = method !== 'get';
  const { headers } = await send(`${server.url}/${name}${part === 'query' ? `?${field}=x` : ''}`, {
    method: String(method).toUpperCase(),
    ...(hasBody && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(part === 'body' ? { [field]: 'x' } : {}),
    }),
  });
  return [headers.deprecation, headers.sunset];
}

test('the document has deprecated names in queries and bodies', () => {
  expect(older).toEqual(
    expect.arrayContaining([
      { operation: 'listWebhookFaults', part: 'query', name: 'configId' },
      { operation: 'createWebhookFault', part: 'body', name: 'configId' },
      { operation: 'createPaymentLink', part: 'body', name: 'color' },
      { operation: 'changePaymentLink', part: 'body', name: 'color' },
    ]),
  );
});

test.each(older)('the deprecated name $name of $operation returns both headers', async (used) => {
  expect(await headersOf(used)).toEqual(['@1795824000', 'Sun, 28 Nov 2027 00:00:00 GMT']);
  expect(await headersOf({ ...used, name: 'another' })).toEqual([undefined, undefined]);
});
