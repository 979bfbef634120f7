import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/**
 * The schemas for an endpoint that declares none. An unknown query parameter is refused, because a caller
 * that sends it expects an effect.
 */
const byDefault = { params: z.object({}), query: z.strictObject({}), body: z.object({}) };

export type RequestPart = keyof typeof byDefault;

/** The schema of a part of a request: the endpoint's own schema, or the default schema. */
export type SchemaOf<E extends Endpoint, Part extends RequestPart> = E extends {
  readonly [P in Part]: infer Own extends z.ZodType;
}
  ? Own
  : Part extends keyof E
    ? z.ZodType
    : (typeof byDefault)[Part];

export function schemaOf<E extends Endpoint, Part extends RequestPart>(
  endpoint: E,
  part: Part,
): SchemaOf<E, Part>;
export function schemaOf(endpoint: Endpoint, part: RequestPart): z.ZodType {
  return endpoint[part] ?? byDefault[part];
}

type ParamNameOf<Path extends string> = Path extends `${string}:${infer After}`
  ? After extends `${infer Name}/${infer Rest}`
    ? Name | ParamNameOf<`/${Rest}`>
    : After
  : never;

/** The parameters of a path as texts: `{ id: string }` for `/v1/charges/:id`, `{}` for `/v1/charges`. */
export type PathParamsOf<Path extends string> = { [Name in ParamNameOf<Path>]: string };

/**
 * The type of one part of an input. It is `never` if the endpoint does not take the part, and optional if all
 * fields of the part are optional.
 */
type Sent<Part extends RequestPart, Shape, IsTaken> = IsTaken extends true
  ? object extends Shape
    ? { [P in Part]?: Shape }
    : { [P in Part]: Shape }
  : { [P in Part]?: never };

type IsNamed<E, Part> = Part extends keyof E ? true : false;

/**
 * The input that a caller sends, before defaults and transformations. Values of `params` are texts. In a
 * query, a number may also be the text of its digits, and a date is a text.
 */
export type InputOf<E extends Endpoint> = Sent<
  'params',
  PathParamsOf<E['path']>,
  E['path'] extends `${string}:${string}` ? true : false
> &
  Sent<'query', z.input<SchemaOf<E, 'query'>>, IsNamed<E, 'query'>> &
  Sent<'body', z.input<SchemaOf<E, 'body'>>, IsNamed<E, 'body'>>;

type OtherDataOf<E> = E extends { otherStatus: { data: infer Other extends z.ZodType } }
  ? z.output<Other>
  : never;

/**
 * The `data` of a success, which is a list for a paged endpoint. It may also be the data of the endpoint's
 * second status, `otherStatus`.
 */
export type DataOf<E extends Endpoint> =
  | (E extends { paged: true } ? z.output<E['data']>[] : z.output<E['data']>)
  | OtherDataOf<E>;
