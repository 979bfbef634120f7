import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { idParams } from './fields.ts';
import type { Scope } from './forms/new-api-key.ts';

/**
 * The audience. `public` needs no account. `merchant` needs an API key with one of the scopes, or a bearer
 * token. `bearer` needs a merchant's bearer token, `operator` an operator's.
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
 * One endpoint of the public API. The gateway's routes, the owning service's validation and the OpenAPI
 * document all come from it, so that only one list exists.
 */
export interface Endpoint {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** The path, with `:name` for a parameter. */
  path: string;
  service: ServiceName;
  /** Services that answer in the place of `service`, by the `type` in the body. */
  otherServices?: readonly { type: string; service: ServiceName }[];
  access: Access;
  summary: string;
  description?: string;
  params?: z.ZodType;
  /** Without it no query parameter is accepted. */
  query?: z.ZodType;
  /** Without it no field is read. */
  body?: z.ZodType;
  /** Valid bodies for the document. */
  examples?: readonly { summary: string; body: unknown }[];
  /** Whether the body is a form (`multipart/form-data`) with one file; every other body is JSON. */
  takesFile?: true;
  /** The default is 100 KiB, or 10 KiB for callers without an account, except providers. */
  maxBodyBytes?: number;
  /**
   * Whether a third party writes the body. Its long numbers are its own references, and a tenth of them pass
   * the check of card numbers. A notice refused for that would be refused each time.
   */
  fromProvider?: true;
  /**
   * Whether the body is read as JSON whatever its `Content-Type`, because some providers send text/plain or
   * none.
   */
  anyBodyType?: true;
  /** The status of a success; `otherStatus` is a second one that it may have. */
  status: 200 | 201;
  otherStatus?: { status: 200 | 202; when: string; data?: z.ZodType };
  data: z.ZodType;
  /** Whether the answer is one page of `data` with `meta`. */
  paged?: true;
  /** Media types without an envelope that `Accept` may request instead of JSON. */
  alsoAs?: readonly { mediaType: FileType; description: string; example: string }[];
  /** Whether it honours the header `Idempotency-Key`. */
  keyed?: true;
  /** Whether it reads a device token from the header `X-Device-Token`. */
  fromDevice?: true;
  /** With `keyed`: the body or the answer contains a secret, so that stored copies are sealed. */
  carriesSecret?: true;
  /** With the query parameter `wait` the request is a long poll, which has slots of its own. */
  waits?: true;
  /**
   * With `keyed`: in the sandbox the header `X-Sandbox-Warning` names the reasons for which production would
   * refuse the request.
   */
  warnsInSandbox?: true;
  /**
   * Limits a public endpoint for each address in 15 minutes, on all replicas together: its requests, or only
   * its declines (402). A limit by path would let anonymous callers use up a buyer's attempts.
   */
  tries?: { perAddress?: number; declinesPerAddress?: number };
  /** The number of requests that one request counts as in its address's rate limit; the default is 1. */
  cost?: number;
  /** Whether scripts of any web page may read it (CORS). */
  openToBrowsers?: true;
  errors: readonly ErrorCode[];
}

/** An endpoint in its table; `endpointsOf` adds the fields that most endpoints share. */
export interface Definition extends Omit<Endpoint, 'method' | 'path' | 'service' | 'status' | 'errors'> {
  /** Method and path, such as `GET /v1/charges/:id`. */
  route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** The default is the service of the table. */
  service?: ServiceName;
  /** The default is 200. */
  status?: 200 | 201;
  /** The errors besides NOT_FOUND, which every path with a parameter has. */
  errors?: readonly ErrorCode[];
}

type PathOf<Route> = Route extends `${string} ${infer Path}` ? Path : never;

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

/** Completes the endpoints of a service with the method and path of the route and with the defaults. */
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

/** Returns method and path, such as `GET /v1/charges/:id`. */
export function routeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/**
 * The cost of a read of a buyer's page, because it runs several queries of charges and any caller may repeat
 * it.
 */
export const BUYERS_READ = 3;

export const anonymous: Access = { kind: 'public' };
export const bearer: Access = { kind: 'bearer' };

/**
 * Returns the access of a read, with an API key that has one of the scopes. Without scopes every valid key is
 * accepted.
 */
export function reads(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: false };
}

/** Returns the access of a change, with an API key that has one of the scopes. */
export function writes(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: false };
}

/**
 * Returns the access of a change that moves money or prepares it, which suspended and rejected merchants are
 * refused.
 */
export function movesMoney(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: true };
}

export function operators(...roles: OperatorRole[]): Access {
  return { kind: 'operator', roles };
}

export const everyRole = operators(...operatorRoles);
export const finance = operators('ADMIN', 'FINANCE');
