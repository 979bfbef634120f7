import type { Call } from '../history.ts';
import { acknowledged } from './calls.ts';

/** What can be changed of a configuration of webhooks; who deletes it turns it off. */
type EditKind = 'url' | 'events' | 'isActive' | 'retrySchedule';

/** It was made, or may have been made. */
export interface Edit {
  kinds: ReadonlySet<EditKind>;
  call: Call;
}

/** One configuration of webhooks, by its id. */
export const CONFIGURATION = /^\/v1\/webhook-config\/([^/]+)$/;
const editKinds: readonly EditKind[] = ['url', 'events', 'isActive', 'retrySchedule'];

/** All that was done to each configuration since it was made, or may have been. */
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

/** Each configuration as its maker asked for it, of those whose making was acknowledged. */
export function creationsOf(calls: readonly Call[]): Map<string, Call> {
  const made = acknowledged(calls).filter(
    ({ call }) => call.method === 'POST' && call.path === '/v1/webhook-config',
  );
  // The first answer counts, which is the last one to be written.
  return new Map(made.toReversed().map(({ call, data }) => [String(data.id), call]));
}

/** The paths of all URLs that a configuration has had, or may have had. */
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
