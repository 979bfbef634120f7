import type { Endpoint } from '@plataforma/contracts';
import { isObject, listIn, type Schema } from '@plataforma/contracts/schemas';

export const EXAMPLE_ID = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';
const NAMES: Record<string, string> = { id: EXAMPLE_ID, slug: 'camiseta-azul' };

/** The path with examples of what it names. */
export function pathOf({ path }: Endpoint): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => NAMES[name] ?? name);
}

/** What a query can't do without; the list of charges shows how it is narrowed. */
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
