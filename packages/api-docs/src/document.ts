import type { Endpoint, ServiceName } from '@plataforma/contracts';
import { schemaOf } from '@plataforma/contracts';
import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { answersOf } from './answers.ts';
import { errorsOf } from './failures.ts';
import { finish } from './finish.ts';
import { guide } from './guide.ts';
import { publishPattern } from './portable.ts';
import { urlTag, webhooksSection } from './webhooks-section.ts';

const environmentHeader = {
  'X-Environment': z
    .enum(environments)
    .optional()
    .meta({
      description:
        'Environment of a request with a bearer token. Defaults to the sandbox. An API key has its own ' +
        'environment, and a different value is refused.',
      example: 'sandbox',
    }),
};

const deviceHeader = {
  'X-Device-Token': z
    .string()
    .optional()
    .meta({
      description:
        'The `deviceToken` of the last log-in to this account on this device. It grants no access. A ' +
        'recognised device has its own log-in limit, so that password guesses from other devices do not ' +
        'block it.',
    }),
};

const keyHeader = {
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'Key that identifies this request. A repeated request with the same key and body within 24 hours ' +
        'has no second effect. It receives the first response again, with the header ' +
        'Idempotency-Replayed: true.',
    }),
};

const merchantTags: Record<ServiceName, { name: string; description: string }> = {
  gateway: { name: 'account', description: 'Log-in, the account, its API keys and its request log.' },
  charges: { name: 'charges', description: 'Pix and card charges, refunds and disputes.' },
  withdrawals: { name: 'withdrawals', description: 'Withdrawals from the balance and their destinations.' },
  ledger: { name: 'wallet', description: 'The balance and its movements.' },
  webhooks: { name: 'webhooks', description: 'Webhook configurations, events and deliveries.' },
};
const forOperators = (what: string) => ({
  name: `operators: ${what}`,
  description: 'Endpoints for the operators of the platform. They may have their own address.',
});
const operatorTags: Record<ServiceName, { name: string; description: string }> = {
  gateway: forOperators('merchants and operators'),
  charges: forOperators('charges'),
  withdrawals: forOperators('withdrawals'),
  ledger: forOperators('ledger'),
  webhooks: forOperators('webhooks'),
};

function tagOf({ path, service }: Endpoint): string {
  return (path.startsWith('/v1/admin/') ? operatorTags : merchantTags)[service].name;
}

/**
 * Builds the OpenAPI 3.1 document of the given endpoints from the schemas that validate their requests. Calls
 * `missing` for each response field without an example.
 */
export function openApiDocument(
  endpoints: Readonly<Record<string, Endpoint>>,
  missing: (field: string) => void = () => undefined,
) {
  const written: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Plataforma',
      version: '1.0.0',
      description: guide,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Those who run this installation' },
    },
    servers: [{ url: '/', description: 'Installation that serves this document.' }],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
    tags: [...Object.values(merchantTags), ...Object.values(operatorTags), urlTag],
    paths: pathsOf(endpoints),
    webhooks: webhooksSection(),
  };
  const document = createDocument(written, {
    // Later releases may add fields to responses, so the schemas must allow additional properties.
    override: ({ jsonSchema, io }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      publishPattern(jsonSchema);
      // Generators for Python and Java would read a boolean constant as a text.
      if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const;
      if (jsonSchema.type === 'integer') giveFormat(jsonSchema);
      // Remove the discriminator here. `finish` adds one only if every alternative requires the field that
      // distinguishes the alternatives.
      delete jsonSchema.discriminator;
      if (jsonSchema.oneOf) delete jsonSchema.type;
    },
  });
  finish(document, missing);
  return document;
}

function pathsOf(endpoints: Readonly<Record<string, Endpoint>>): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: operationOf(name, endpoint) };
  }
  return paths;
}

function operationOf(name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  const params = schemaOf(endpoint, 'params');
  const query = schemaOf(endpoint, 'query');
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [tagOf(endpoint)],
    security: securityOf(endpoint),
    requestParams: {
      ...(isObject(params) ? { path: params } : {}),
      ...(isObject(query) ? { query } : {}),
      ...headersOf(endpoint),
    },
    ...requestBodyOf(endpoint),
    responses: answersOf(endpoint),
    'x-codes': errorsOf(endpoint).toSorted(),
  };
}

function headersOf({ access, keyed, fromDevice }: Endpoint): { header?: z.ZodObject } {
  const shape = {
    ...(access.kind === 'merchant' ? environmentHeader : {}),
    ...(keyed ? keyHeader : {}),
    ...(fromDevice ? deviceHeader : {}),
  };
  return Object.keys(shape).length > 0 ? { header: z.object(shape) } : {};
}

function requestBodyOf(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const body = schemaOf(endpoint, 'body');
  if (!hasFields(body)) return {};
  const byNumber = (endpoint.examples ?? []).map(({ summary, body: value }, index) => [
    `${index + 1}`,
    { summary, value },
  ]);
  const media = {
    schema: body,
    ...(byNumber.length > 0 ? { examples: Object.fromEntries(byNumber) } : {}),
  };
  const content = { [endpoint.takesFile ? 'multipart/form-data' : 'application/json']: media };
  return { requestBody: { required: !body.safeParse({}).success, content } };
}

function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  switch (endpoint.access.kind) {
    case 'public':
      return [];
    case 'merchant':
      return [{ apiKey: [...endpoint.access.anyOf] }, { bearer: [] }];
    default:
      return [{ bearer: [] }];
  }
}

const INT32 = 2 ** 31;

/** Adds a format to an integer, because client generators use 32 bits for an integer without a format. */
function giveFormat(integer: { minimum?: number; maximum?: number; format?: string }): void {
  const { minimum = -Infinity, maximum = Infinity } = integer;
  if (minimum <= -Number.MAX_SAFE_INTEGER) return;
  integer.format ??= minimum >= -INT32 && maximum < INT32 ? 'int32' : 'int64';
}

function isObject(schema: z.ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject;
}

function hasFields(schema: z.ZodType): boolean {
  return !isObject(schema) || Object.keys(schema.shape).length > 0;
}
