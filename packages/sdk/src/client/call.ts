import type { DataOf, InputOf, Routes } from '@plataforma/contracts';
import type { Page } from './page.ts';

/** A method and a path of the API, such as `GET /v1/charges/:id`. */
export type RouteName = keyof Routes;

export interface CallOptions {
  /** Headers in addition to the client's headers. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Only an endpoint that honours an Idempotency-Key accepts the option `idempotencyKey`. */
type Keyed<E> = E extends { keyed: true } ? { idempotencyKey?: string } : { idempotencyKey?: never };

export type SentTo<Name extends RouteName> = InputOf<Routes[Name]> & Keyed<Routes[Name]> & CallOptions;

/** The answer of an endpoint: a page of a list, or its `data`. */
export type AnswerTo<Name extends RouteName> = Routes[Name] extends { paged: true }
  ? Page<DataOf<Routes[Name]> extends (infer Item)[] ? Item : never>
  : DataOf<Routes[Name]>;

/** Calls an endpoint by its name. The input is optional if no field is required. */
export type Call = <Name extends RouteName>(
  name: Name,
  ...input: object extends SentTo<Name> ? [SentTo<Name>?] : [SentTo<Name>]
) => Promise<AnswerTo<Name>>;

/** The name of an endpoint that can also answer with a file. */
export type FileRouteName = {
  [Name in RouteName]: Routes[Name] extends { alsoAs: readonly unknown[] } ? Name : never;
}[RouteName];

/** The media types of the files that an endpoint can answer with. */
export type FileTypeOf<Name extends FileRouteName> = Routes[Name] extends {
  alsoAs: readonly { mediaType: infer Type extends string }[];
}
  ? Type
  : never;
