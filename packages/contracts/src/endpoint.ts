import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { idParams } from './fields.ts';
import type { Scope } from './forms/new-api-key.ts';

/**
 * The audience: `public` needs no account; `merchant` an API key with one of the scopes, or a bearer token; `bearer` a
 * merchant's bearer token only; `operator` an operator's bearer token.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'merchant'; anyOf: readonly Scope[]; spends: boolean }
  | { kind: 'bearer' }
  | { kind: 'operator'; roles: readonly OperatorRole[] };

export const operatorRoles = ['ADMIN', 'FINANCE', 'SUPPORT'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export type ServiceName = 'gateway' | 'charges' | 'withdrawals' | 'ledger' | 'webhooks';

export type FileType = 'text/csv' | 'application/x-ofx' | 'application/octet-stream';

/**
 * One endpoint of the public API. The gateway routes by it, the owning service validates by it, and the OpenAPI
 * document is built from it: there is no second list.
 */
export interface Endpoint {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With `:name` for parameters. */
  path: string;
  service: ServiceName;
  /** Services that answer instead, by the `type` that the body names. */
  otherServices?: readonly { type: string; service: ServiceName }[];
  access: Access;
  summary: string;
  description?: string;
  /** The schema of `:name`; left out where the path has none. */
  params?: z.ZodType;
  /** No parameter is taken when left out. */
  query?: z.ZodType;
  /** No field is read when left out. */
  body?: z.ZodType;
  /** Bodies as callers send them, for the document; each is good. */
  examples?: readonly { summary: string; body: unknown }[];
  /** The body is a form (`multipart/form-data`) with one file; every other body is JSON. */
  takesFile?: true;
  /** When left out 100 KiB, and 10 KiB where callers need no account, except for providers. */
  maxBodyBytes?: number;
  /**
   * A provider sends this body, in words we have no say in: its long numbers are its own references, of which one in
   * ten passes the check of a card's, and a notice refused for that would be refused each time.
   */
  fromProvider?: true;
  /** The body is read as JSON whatever its `Content-Type`, because some providers send text/plain or none. */
  anyBodyType?: true;
  /** The status of success, and others the same answer may have. */
  status: 200 | 201;
  otherStatus?: { status: 200 | 202; when: string; data?: z.ZodType };
  data: z.ZodType;
  /** The answer is one page of `data` with `meta`. */
  paged?: true;
  /** Media types that `Accept` may request instead of JSON; they have no envelope. */
  alsoAs?: readonly { mediaType: FileType; description: string; example: string }[];
  /** Honours the header `Idempotency-Key`. */
  keyed?: true;
  /** Takes the token of a device in the header `X-Device-Token`. */
  fromDevice?: true;
  /** With `keyed`: the body or the answer holds a secret, so that stored copies are sealed. */
  carriesSecret?: true;
  /** With the parameter `wait` its answer may wait for what is to happen, in slots of its own. */
  waits?: true;
  /** With `keyed`: in the sandbox the header `X-Sandbox-Warning` says what production would refuse. */
  warnsInSandbox?: true;
  /**
   * Limits a public endpoint for each address, in 15 minutes and on all replicas together: its requests, or its declines
   * (402) alone. A limit by path would let anonymous callers use up the path of a buyer.
   */
  tries?: { perAddress?: number; declinesPerAddress?: number };
  /** For how many requests it counts in the rate limit of its caller's address; 1 when left out. */
  cost?: number;
  /** Any web page may read it (CORS). */
  openToBrowsers?: true;
  errors: readonly ErrorCode[];
}

/** An endpoint as the table has it: `endpointsOf` adds the facts that most endpoints share. */
export interface Definition extends Omit<Endpoint, 'method' | 'path' | 'service' | 'status' | 'errors'> {
  /** Such as `GET /v1/charges/:id`. */
  route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** Where it is not the table's. */
  service?: ServiceName;
  /** 200 when left out. */
  status?: 200 | 201;
  /** Besides NOT_FOUND, which every path with a parameter has. */
  errors?: readonly ErrorCode[];
}

type PathOf<Route> = Route extends `${string} ${infer Path}` ? Path : never;

/** The facts that a definition may leave out. */
type Shared<Service, Route> = {
  service: Service;
  status: 200;
} & (PathOf<Route> extends `${string}:id${string}` ? { params: typeof idParams } : unknown);

type Completed<Service, D extends Definition> = Omit<D, 'errors' | 'route'> &
  Omit<Shared<Service, D['route']>, keyof D> & {
    method: D['route'] extends `${infer Verb} ${string}` ? Lowercase<Verb> : never;
    path: PathOf<D['route']>;
    errors: readonly ErrorCode[];
  };

/** Completes the endpoints of a service: method and path of the route, and the defaults. */
export function endpointsOf<Service extends ServiceName, Table extends Record<string, Definition>>(
  service: Service,
  table: Table,
): { [Name in keyof Table]: Completed<Service, Table[Name]> };
export function endpointsOf(
  service: ServiceName,
  table: Record<string, Definition>,
): Record<string, Endpoint> {
  return Object.fromEntries(
    Object.entries(table).map(([name, definition]) => [name, completed(service, definition)]),
  );
}

const methods = ['get', 'post', 'patch', 'delete'] as const;

function completed(service: ServiceName, { route, errors = [], ...definition }: Definition): Endpoint {
  const [verb, path = ''] = route.split(' ');
  const method = methods.find((each) => each.toUpperCase() === verb);
  if (!method) throw new Error(`${route} does not begin with GET, POST, PATCH or DELETE`);
  return {
    service,
    status: 200,
    ...(path.includes('/:id') && { params: idParams }),
    ...definition,
    method,
    path,
    errors: path.includes(':') ? ['NOT_FOUND', ...errors] : errors,
  };
}

/** Returns what a request line names: `GET /v1/charges/:id`. */
export function routeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/** The cost of a read of a buyer's page, which any caller may repeat: several queries of charges. */
export const BUYERS_READ = 3;

export const anonymous: Access = { kind: 'public' };
export const bearer: Access = { kind: 'bearer' };

/** A read by an API key that has one of the scopes; where none is named every valid key will do. */
export function reads(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: false };
}

/** A change by an API key with any of the scopes. */
export function writes(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: false };
}

/** A change that starts moving money, or makes ready for it: refused for merchants that are suspended or rejected. */
export function movesMoney(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: true };
}

export function operators(...roles: OperatorRole[]): Access {
  return { kind: 'operator', roles };
}

export const everyRole = operators(...operatorRoles);
export const finance = operators('ADMIN', 'FINANCE');
