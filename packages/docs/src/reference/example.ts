import { inside, isObject, listIn, type Schema } from '@plataforma/api-docs/schemas';
import type { Endpoint } from '@plataforma/contracts';
import { exampleId } from '@plataforma/contracts/example-ids';

/** Kinds of objects whose paths call them otherwise. */
const KINDS: Record<string, string> = {
  checkouts: 'CheckoutVisit',
  timeline: 'Charge',
  'webhook-config': 'Webhook',
};

/** The id of the object that a path names: that of the answer, unless the answer is of a new object. */
export function idOf({ path }: Endpoint, operation: Schema): string {
  const { id } = inside(operation, 'responses', '200', 'content', 'application/json', 'example', 'data');
  if (typeof id === 'string') return id;
  const [, segment = ''] = /([\w-]+)\/:id/.exec(path) ?? [];
  const singular = segment.replace(/ies$/, 'y').replace(/s$/, '');
  return exampleId(
    KINDS[segment] ?? singular.replace(/(?:^|-)(\w)/g, (_all, letter) => letter.toUpperCase()),
  );
}

/** The path with examples of what it names. */
export function pathOf(endpoint: Endpoint, operation: Schema): string {
  const names: Record<string, string> = { id: idOf(endpoint, operation), slug: 'q7Xk2mVnQ2pLw7Yt' };
  return endpoint.path.replace(/:(\w+)/g, (_all, name: string) => names[name] ?? name);
}

/** Returns a query's required parameters; the list of charges also shows its filters. */
export function queryOf(endpoint: Endpoint, operation: Schema): Record<string, unknown> {
  const needed = listIn(operation, 'parameters')
    .filter(isObject)
    .filter((parameter) => parameter.in === 'query' && parameter.required === true);
  if (needed.length > 0)
    return Object.fromEntries(needed.map(({ name, example }) => [String(name), example ?? name]));
  return endpoint.path === '/v1/charges' && endpoint.method === 'get' ? { status: 'PAID' } : {};
}

/** The header that says who calls, as the shell puts it in. */
export function tokenOf({ access }: Endpoint): string | undefined {
  if (access.kind === 'public') return undefined;
  return access.kind === 'merchant' ? 'X-API-Key: $PLATAFORMA_API_KEY' : 'Authorization: Bearer $TOKEN';
}

/** The first example of the table, or of the body's own schema. */
export function exampleBodyOf({ examples, body }: Endpoint): unknown {
  return examples?.[0]?.body ?? body?.meta()?.examples?.[0];
}
