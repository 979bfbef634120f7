import type { AnswerTo, FileRouteName, FileTypeOf, Page, RouteName, SentTo } from './client/index.ts';
import { Download } from './download.ts';
import { List } from './list.ts';
import type { RequestOptions, WriteOptions } from './options.ts';
import type { Sent, Transport } from './transport.ts';

type Part<Name extends RouteName, Of extends 'query' | 'body'> = Exclude<SentTo<Name>[Of], undefined>;

type Query<Name extends RouteName> = Part<Name, 'query'>;
type Body<Name extends RouteName> = Part<Name, 'body'>;
type Answer<Name extends RouteName> = Promise<AnswerTo<Name>>;
type ItemOf<Name extends RouteName> = AnswerTo<Name> extends Page<infer Item> ? Item : never;

type IsKeyed<Name extends RouteName> = string extends SentTo<Name>['idempotencyKey'] ? true : false;
type OptionsOf<Name extends RouteName> = IsKeyed<Name> extends true ? WriteOptions : RequestOptions;
/**
 * Requires the argument `'keyed'` for an endpoint that honours an Idempotency-Key. The compiler checks the
 * argument, because the SDK has no table of endpoints at run time.
 */
type KeyedIf<Name extends RouteName> = IsKeyed<Name> extends true ? ['keyed'] : [];

/** `body` is optional if it has no required field. */
type BodyThen<Name extends RouteName> =
  object extends Body<Name>
    ? [body?: Body<Name>, options?: OptionsOf<Name>]
    : [body: Body<Name>, options?: OptionsOf<Name>];

/** A file contains all rows that match the filters, so its query has no page, limit or cursor. */
type FileQuery<Name extends RouteName> = Omit<Query<Name>, 'page' | 'limit' | 'after'>;

export type Methods = ReturnType<typeof methodsOf>;

/**
 * Returns a function for each kind of method. The function creates a method of that kind from the name of an
 * endpoint.
 */
export function methodsOf(transport: Transport) {
  return {
    plain:
      <Name extends RouteName>(name: Name) =>
      (options?: RequestOptions): Answer<Name> =>
        transport.json(name, { ...options }),

    withQuery:
      <Name extends RouteName>(name: Name) =>
      (query?: Query<Name>, options?: RequestOptions): Answer<Name> =>
        transport.json(name, { ...options, query: fieldsOf(query) }),

    withBody:
      <Name extends RouteName>(name: Name, ...[keyed]: KeyedIf<Name>) =>
      (...[body, options]: BodyThen<Name>): Answer<Name> =>
        transport.json(name, { ...sentWith(options, keyed), body: body ?? {} }),

    withId:
      <Name extends RouteName>(name: Name, ...[keyed]: KeyedIf<Name>) =>
      (id: string, options?: OptionsOf<Name>): Answer<Name> =>
        transport.json(name, { ...sentWith(options, keyed), ...pathOf(id) }),

    withIdAndBody:
      <Name extends RouteName>(name: Name, ...[keyed]: KeyedIf<Name>) =>
      (id: string, ...[body, options]: BodyThen<Name>): Answer<Name> =>
        transport.json(name, { ...sentWith(options, keyed), ...pathOf(id), body: body ?? {} }),

    list:
      <Name extends RouteName>(name: Name) =>
      (query?: Query<Name>, options?: RequestOptions): List<ItemOf<Name>> =>
        new List((query) => transport.json(name, { ...options, query }), fieldsOf(query)),

    file:
      <Name extends FileRouteName>(name: Name, accept: FileTypeOf<Name>) =>
      (query?: FileQuery<Name>, options?: RequestOptions): Download =>
        downloadOf(transport, name, { ...asking(accept, options), query: fieldsOf(query) }),

    fileOfId:
      <Name extends FileRouteName>(name: Name, accept: FileTypeOf<Name>) =>
      (id: string, options?: RequestOptions): Download =>
        downloadOf(transport, name, { ...asking(accept, options), ...pathOf(id) }),
  };
}

function downloadOf(transport: Transport, name: string, sent: Sent): Download {
  return new Download((read) => transport.file(name, sent, read));
}

function asking(accept: string, options: RequestOptions = {}): RequestOptions {
  return { ...options, headers: { ...options.headers, accept } };
}

/**
 * Sets one Idempotency-Key for all attempts of a call. Errors of the call contain the key. The caller may
 * also give the key as a header.
 */
function sentWith(options: WriteOptions | undefined, keyed: 'keyed' | undefined): WriteOptions {
  if (!keyed) return { ...options };
  const written = new Headers(options?.headers).get('idempotency-key');
  return { ...options, idempotencyKey: options?.idempotencyKey ?? written ?? crypto.randomUUID() };
}

/** An empty id, `.` or `..` would change the path to another endpoint. */
function pathOf(id: string): { params: { id: string } } {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`an id is missing, not ${id}`);
  return { params: { id } };
}

function fieldsOf(query: unknown): Record<string, unknown> {
  return { ...(typeof query === 'object' ? query : {}) };
}
