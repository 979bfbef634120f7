import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const header = z.looseObject({ required: z.boolean().default(false) });
const answer = z.looseObject({
  description: z.string(),
  headers: z.record(z.string(), z.looseObject({ $ref: z.string() })),
});
const reference = z.object({ $ref: z.string() });
const operation = z.looseObject({ responses: z.record(z.string(), z.union([reference, answer])) });
const apiDocument = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    headers: z.record(z.string(), header),
    responses: z.record(z.string(), answer),
  }),
});
const failure = z.object({ error: z.object({ code: z.string() }) });

type ApiDocument = z.infer<typeof apiDocument>;

export interface Given {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  body: unknown;
}

/**
 * Functions that compare an answer or a webhook with the OpenAPI document. Each function throws the
 * differences.
 */
export interface Promises {
  expectAnswer(given: Given): void;
  expectWebhook(body: string): void;
}

const NAME = 'openapi.json';
const cached = new Map<string, Promise<Promises>>();

/**
 * Returns functions that compare the answers and webhooks of a running platform with the OpenAPI document
 * that the platform serves.
 */
export function promisesOf(baseUrl: string): Promise<Promises> {
  const read = cached.get(baseUrl) ?? readPromises(baseUrl);
  cached.set(baseUrl, read);
  read.catch(() => cached.delete(baseUrl));
  return read;
}

async function readPromises(baseUrl: string): Promise<Promises> {
  const response = await fetch(`${baseUrl}/openapi.json`);
  return promisesIn(await response.json());
}

export function promisesIn(json: unknown): Promises {
  const document = apiDocument.parse(json);
  const operations = operationsOf(document);
  const schemaAt = schemasIn(json);

  return {
    expectAnswer(given) {
      const what = `${given.method} ${given.path} answered ${given.status}`;
      const found = operations.find((one) => one.isMeant(given));
      if (!found) return expectNoOperation(given, what);
      const promised = document.paths[found.path]?.[found.method]?.responses[given.status];
      if (!promised)
        throw new Error(`${what}, which the document does not name: ${JSON.stringify(given.body)}`);
      const shared = reference.safeParse(promised).data?.$ref.split('/').slice(1);
      const path = shared ?? ['paths', found.path, found.method, 'responses', String(given.status)];
      const described = shared ? document.components.responses[shared.at(-1) ?? ''] : answer.parse(promised);
      if (!described) throw new Error(`${what}: the document has a broken reference`);
      expectHeaders(given, Object.keys(described.headers), document.components.headers);
      expectValid(schemaAt(...path, 'content', 'application/json', 'schema'), given.body, what);
      const code = failure.safeParse(given.body).data?.error.code;
      if (code && !described.description.includes(`\`${code}\`:`)) {
        throw new Error(`${what} with ${code}, which the document does not name there`);
      }
    },
    expectWebhook(body) {
      const message: unknown = JSON.parse(body);
      const { event } = z.looseObject({ event: z.string() }).parse(message);
      const path = ['webhooks', event, 'post', 'requestBody', 'content', 'application/json', 'schema'];
      expectValid(schemaAt(...path), message, `the webhook ${event}`);
    },
  };
}

/**
 * Paths with fewer parameters come first in the list. If two paths match a request, the path with fewer
 * parameters has precedence.
 */
function operationsOf({ paths }: ApiDocument) {
  return Object.entries(paths)
    .flatMap(([path, methods]) => {
      const shape = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      return Object.keys(methods).map((method) => ({
        path,
        method,
        isMeant: (given: Given) =>
          given.method.toLowerCase() === method && shape.test(given.path.split('?')[0] ?? ''),
      }));
    })
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);
}

/** Returns a function that finds a schema by its path in the document. Each schema is compiled only once. */
function schemasIn(json: unknown): (...path: string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(z.record(z.string(), z.unknown()).parse(closed(json)), NAME, true, false);
  const compiled = new Map<string, ValidateFunction>();
  return (...path) => {
    const pointer = path.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const schema = compiled.get(pointer) ?? ajv.compile({ $ref: `${NAME}#/${encodeURI(pointer)}` });
    compiled.set(pointer, schema);
    return schema;
  };
}

/**
 * Returns the document with strict objects. For a client an undocumented field is valid, but for this test it
 * is a leak.
 */
function closed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(closed);
  if (typeof json !== 'object' || json === null) return json;
  const copy = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, closed(value)]));
  const isOpen =
    [copy.type].flat().includes('object') && 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function expectNoOperation({ status, body }: Given, what: string): void {
  const code = failure.safeParse(body).data?.error.code ?? '';
  const isSaid =
    (status === 404 && code === 'NOT_FOUND') || (status === 405 && code === 'METHOD_NOT_ALLOWED');
  if (!isSaid) throw new Error(`${what} with ${code}, and the document has no such operation`);
}

function expectValid(isValid: ValidateFunction, value: unknown, what: string): void {
  if (isValid(value)) return;
  const found = (isValid.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error(`${what} other than the document says:\n${found.join('\n')}\n${JSON.stringify(value)}`);
}

function expectHeaders(
  { method, path, headers }: Given,
  promised: readonly string[],
  described: ApiDocument['components']['headers'],
): void {
  const missing = promised.filter((name) => described[name]?.required && !headers.has(name));
  const unsaid = Object.keys(described).filter((name) => headers.has(name) && !promised.includes(name));
  if (missing.length > 0) throw new Error(`${method} ${path}: no header ${missing.join(', ')}`);
  if (unsaid.length > 0) throw new Error(`${method} ${path}: ${unsaid.join(', ')} is not in the document`);
}
