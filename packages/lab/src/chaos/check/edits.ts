import type { Call } from '../history.ts';
import { acknowledged } from './calls.ts';

/** The properties of a webhook that a request can change. A deletion counts as a change of `isActive`. */
type EditKind = 'url' | 'events' | 'isActive' | 'retrySchedule';

/** A request to change a webhook. Without a response, the change may or may not have been made. */
export interface Edit {
  kinds: ReadonlySet<EditKind>;
  call: Call;
}

export const CONFIGURATION = /^\/v1\/webhook-config\/([^/]+)$/;
const editKinds: readonly EditKind[] = ['url', 'events', 'isActive', 'retrySchedule'];

/** Returns all requests to change a webhook, by the webhook's id. */
export function editsOf(calls: readonly Call[]): Map<string, Edit[]> {
  const edits = calls.flatMap((call) => {
    const id = CONFIGURATION.exec(call.path)?.[1];
    const kinds = kindsOf(call);
    return id && kinds.size > 0 ? [{ id, kinds, call }] : [];
  });
  return Map.groupBy(edits, ({ id }) => id);
}

function kindsOf({ method, body }: Call): Set<EditKind> {
  if (method === 'DELETE') return new Set(['isActive']);
  return new Set(method === 'PATCH' ? editKinds.filter((kind) => body?.[kind] !== undefined) : []);
}

/**
 * Returns, for each webhook, the request that created it. A webhook is left out if its creation got no 2xx
 * response, because only the response contains the webhook's id.
 */
export function creationsOf(calls: readonly Call[]): Map<string, Call> {
  const made = acknowledged(calls).filter(
    ({ call }) => call.method === 'POST' && call.path === '/v1/webhook-config',
  );
  // A map keeps the last entry of a key. The reversed order therefore keeps the first response of each
  // webhook.
  return new Map(made.toReversed().map(({ call, data }) => [String(data.id), call]));
}

/** Returns the paths of all URLs that each webhook has had or may have had. */
export function pathsOf(calls: readonly Call[]): Map<string, Set<string>> {
  const edits = editsOf(calls);
  return new Map(
    [...creationsOf(calls)].map(([id, made]) => {
      const all = [made, ...(edits.get(id) ?? []).map(({ call }) => call)];
      return [
        id,
        new Set(all.flatMap(({ body }) => (body?.url ? [new URL(String(body.url)).pathname] : []))),
      ];
    }),
  );
}
