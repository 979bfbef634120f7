import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/**
 * The default input. Unknown query parameters are refused, because a caller that sends them relies on them.
 */
const byDefault = { params: z.object({}), query: z.strictObject({}), body: z.object({}) };

export type RequestPart = keyof typeof byDefault;

/** The schema of a part of a request: the endpoint's own, or the default. */
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

/** `never` when the endpoint takes no such part; optional when all of its fields are optional. */
type Sent<Part extends RequestPart, Shape, IsTaken> = IsTaken extends true
  ? object extends Shape
    ? { [P in Part]?: Shape }
    : { [P in Part]: Shape }
  : { [P in Part]?: never };

type IsNamed<E, Part> = Part extends keyof E ? true : false;

/**
 * A caller's input: `params`, which are texts, `query` and `body`, before defaults and transformations. A
 * number in a query is a number or its digits; a date is a text.
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

/** The `data` of a success: a list for a paged endpoint, or the data of its other status. */
export type DataOf<E extends Endpoint> =
  | (E extends { paged: true } ? z.output<E['data']>[] : z.output<E['data']>)
  | OtherDataOf<E>;
