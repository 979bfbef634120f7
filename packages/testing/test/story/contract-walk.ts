import { api, type Endpoint, type ErrorCode, errorCatalogue, webhookEvents } from '@plataforma/contracts';
import { z } from 'zod';

interface Schema {
  $ref?: string | undefined;
  enum?: unknown[] | undefined;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  anyOf?: Schema[] | undefined;
}

const schema: z.ZodType<Schema> = z.looseObject({
  $ref: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
});
const content = z.object({ 'application/json': z.object({ schema }) });
const read = z.looseObject({ responses: z.looseObject({ 200: z.looseObject({ content }) }) });
const apiDocument = z.object({
  paths: z.record(z.string(), z.looseObject({ get: read.optional() })),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

const STATES = new Set(['status', 'state', 'health', 'cause']);

/** A field of an answer that shows a state, and all values that the field may have. */
interface StateField {
  name: string;
  values: string[];
  /** The path to the field in the answer. `[]` stands for each element of a list. */
  path: readonly string[];
}

export const ofMerchants: readonly [string, Endpoint][] = Object.entries(api).filter(
  ([, { path }]) => !path.startsWith('/v1/admin/'),
);

/**
 * The error codes, states and events that the API document promises to merchants. `observed` contains those
 * that have occurred.
 */
export interface Walk {
  codes: readonly string[];
  states: readonly string[];
  events: readonly string[];
  observed: ReadonlySet<string>;
  overhear(status: number, text: string, request: { method: string; path: string }): void;
  /**
   * Records an error code that a test received without the client, because the client can't send the request.
   */
  received(code: ErrorCode): void;
}

const failure = z.object({ error: z.object({ code: z.string() }) });

export async function startWalk(baseUrl: string): Promise<Walk> {
  const document = apiDocument.parse(await (await fetch(`${baseUrl}/openapi.json`)).json());
  const stateFieldsAt = stateFieldsIn(document);
  const observed = new Set<string>();
  const endpoints = ofMerchants
    .map(([name, endpoint]) => ({ name, endpoint, isMeant: shapeOf(endpoint) }))
    .sort((a, b) => a.endpoint.path.split(':').length - b.endpoint.path.split(':').length);

  return {
    codes: [
      ...Object.keys(errorCatalogue),
      ...ofMerchants.flatMap(([name, { errors }]) => errors.map((code) => `${name} ${code}`)),
    ],
    states: [...new Set([...stateFieldsAt.values()].flat().flatMap(linesOf))],
    events: Object.keys(webhookEvents),
    observed,
    overhear(status, text, { method, path }) {
      const answer: unknown = JSON.parse(text);
      const code = failure.safeParse(answer).data?.error.code;
      const found = endpoints.find(({ isMeant }) => isMeant(method, path));
      if (code) observed.add(code);
      if (!found) return;
      if (code) observed.add(`${found.name} ${code}`);
      if (method !== 'GET' || status !== 200) return;
      for (const field of stateFieldsAt.get(documented(found.endpoint.path)) ?? [])
        for (const value of valuesAt(answer, field.path)) observed.add(`${field.name} ${value}`);
    },
    received: (code) => void observed.add(code),
  };
}

function shapeOf({ method, path }: Endpoint) {
  const shape = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
  return (sentMethod: string, where: string) =>
    sentMethod.toLowerCase() === method && shape.test(where.split('?')[0] ?? '');
}

const documented = (path: string) => path.replace(/:(\w+)/g, '{$1}');
const linesOf = ({ name, values }: StateField) => values.map((value) => `${name} ${value}`);

/**
 * Returns the fields that show a state in the GET answers for merchants, by the path of the endpoint. Fields
 * with the same possible values get the same name.
 */
function stateFieldsIn({ paths, components }: z.infer<typeof apiDocument>): Map<string, StateField[]> {
  const names = new Map<string, string>();
  const named = (field: StateField): StateField => {
    const key = field.values.join();
    const name = names.get(key) ?? field.name;
    names.set(key, name);
    return { ...field, name };
  };
  const all = ofMerchants.filter(([, { method }]) => method === 'get');
  return new Map(
    all.map(([name, { path }]) => {
      const answer = paths[documented(path)]?.get?.responses[200].content['application/json'].schema;
      if (!answer) throw new Error(`the document has no ${path}`);
      const stateFields = [...stateFieldsOf(answer, { components, name, path: [] })].map(named);
      return [documented(path), stateFields] as const;
    }),
  );
}

interface Around extends Pick<z.infer<typeof apiDocument>, 'components'> {
  name: string;
  path: readonly string[];
}

function* stateFieldsOf(node: Schema, around: Around): Generator<StateField> {
  const { components, name, path } = around;
  const target = node.$ref?.split('/').at(-1);
  if (target) yield* stateFieldsOf(components.schemas[target] ?? {}, { ...around, name: target });
  if (node.enum && STATES.has(path.at(-1) ?? '')) {
    const values = node.enum.filter((value) => value !== null).map(String);
    if (values.length > 1) yield { name, values, path };
  }
  for (const either of node.anyOf ?? []) yield* stateFieldsOf(either, around);
  if (node.items) yield* stateFieldsOf(node.items, { ...around, path: [...path, '[]'] });
  for (const [field, inner] of Object.entries(node.properties ?? {}))
    yield* stateFieldsOf(inner, { ...around, name: `${name}.${field}`, path: [...path, field] });
}

const record = z.record(z.string(), z.unknown());

function valuesAt(value: unknown, [field, ...rest]: readonly string[]): unknown[] {
  if (field === undefined) return value === null || value === undefined ? [] : [value];
  if (field === '[]')
    return z
      .array(z.unknown())
      .catch([])
      .parse(value)
      .flatMap((each) => valuesAt(each, rest));
  return valuesAt(record.catch({}).parse(value)[field], rest);
}
