import { inside, isObject, listIn, type Schema } from '@plataforma/api-docs/schemas';
import type { Endpoint } from '@plataforma/contracts';
import { exampleId } from '@plataforma/contracts/example-ids';

/** The names of objects that can't be derived from a segment of the endpoint's path. */
const KINDS: Record<string, string> = {
  checkouts: 'CheckoutVisit',
  timeline: 'Charge',
  'webhook-config': 'Webhook',
};

/**
 * Returns an example id for the path: the id in the example of the 200 answer, or else an id for this kind of
 * object.
 */
export function idOf({ path }: Endpoint, operation: Schema): string {
  const { id } = inside(operation, 'responses', '200', 'content', 'application/json', 'example', 'data');
  if (typeof id === 'string') return id;
  const [, segment = ''] = /([\w-]+)\/:id/.exec(path) ?? [];
  const singular = segment.replace(/ies$/, 'y').replace(/s$/, '');
  return exampleId(
    KINDS[segment] ?? singular.replace(/(?:^|-)(\w)/g, (_all, letter) => letter.toUpperCase()),
  );
}

export function pathOf(endpoint: Endpoint, operation: Schema): string {
  const names: Record<string, string> = { id: idOf(endpoint, operation), slug: 'q7Xk2mVnQ2pLw7Yt' };
  return endpoint.path.replace(/:(\w+)/g, (_all, name: string) => names[name] ?? name);
}

/**
 * Returns the required query parameters of an endpoint. For the list of charges, returns a filter as an
 * example.
 */
export function queryOf(endpoint: Endpoint, operation: Schema): Record<string, unknown> {
  const needed = listIn(operation, 'parameters')
    .filter(isObject)
    .filter((parameter) => parameter.in === 'query' && parameter.required === true);
  if (needed.length > 0)
    return Object.fromEntries(needed.map(({ name, example }) => [String(name), example ?? name]));
  return endpoint.path === '/v1/charges' && endpoint.method === 'get' ? { status: 'PAID' } : {};
}

/** Returns the header with the caller's credentials. A shell variable stands for the secret. */
export function tokenOf({ access }: Endpoint): string | undefined {
  if (access.kind === 'public') return undefined;
  return access.kind === 'merchant' ? 'X-API-Key: $PLATAFORMA_API_KEY' : 'Authorization: Bearer $TOKEN';
}

export function exampleBodyOf({ examples, body }: Endpoint): unknown {
  return examples?.[0]?.body ?? body?.meta()?.examples?.[0];
}
