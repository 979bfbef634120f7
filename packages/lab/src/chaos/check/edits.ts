import type { Call } from '../history.ts';
import { acknowledged } from './calls.ts';

/** The properties of a webhook that can change. A deletion counts as `isActive`. */
type EditKind = 'url' | 'events' | 'isActive' | 'retrySchedule';

/** A change that was made, or may have been made. */
export interface Edit {
  kinds: ReadonlySet<EditKind>;
  call: Call;
}

export const CONFIGURATION = /^\/v1\/webhook-config\/([^/]+)$/;
const editKinds: readonly EditKind[] = ['url', 'events', 'isActive', 'retrySchedule'];

/** Returns all changes of each webhook that happened or may have happened. */
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

/** Returns the request that created each webhook, for acknowledged ones. */
export function creationsOf(calls: readonly Call[]): Map<string, Call> {
  const made = acknowledged(calls).filter(
    ({ call }) => call.method === 'POST' && call.path === '/v1/webhook-config',
  );
  // Keep the first response of each webhook: a later entry of the map would overwrite it.
  return new Map(made.toReversed().map(({ call, data }) => [String(data.id), call]));
}

/** Returns the paths of all URLs that each webhook has or may have had. */
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
