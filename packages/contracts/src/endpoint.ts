import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { idParams } from './fields.ts';
import type { Scope } from './forms/new-api-key.ts';

/**
 * The callers that an endpoint accepts. `public` needs no account. `merchant` needs an API key with one of
 * the scopes or a merchant's token; `bearer` needs a merchant's token, `operator` an operator's token.
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
 * One endpoint of the public API. The gateway's routes, the service's validation of requests and the OpenAPI
 * document are all built from such objects.
 */
export interface Endpoint {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** The path, with `:name` for a parameter. */
  path: string;
  service: ServiceName;
  /** The service that answers instead of `service`, for each value of the body's field `type`. */
  otherServices?: readonly { type: string; service: ServiceName }[];
  access: Access;
  summary: string;
  description?: string;
  params?: z.ZodType;
  /** Schema of the query. If it is absent, the endpoint accepts no query parameters. */
  query?: z.ZodType;
  /** Schema of the body. If it is absent, the service ignores all fields of a body. */
  body?: z.ZodType;
  /** Valid bodies that the OpenAPI document shows. */
  examples?: readonly { summary: string; body: unknown }[];
  /** Whether the body is a form (`multipart/form-data`) with one file; every other body is JSON. */
  takesFile?: true;
  /**
   * Limit of the body in bytes. The default is 100 KiB, or 10 KiB for an endpoint without credentials that is
   * not a provider's callback.
   */
  maxBodyBytes?: number;
  /**
   * Whether a provider calls the endpoint. Such requests have slots of their own, and each costs one in the
   * rate limits. The platform does not search their bodies for card numbers, because about one in ten of a
   * provider's ids would look like one.
   */
  fromProvider?: true;
  /**
   * Whether the body is read as JSON with any `Content-Type`, because some providers send text/plain or none.
   */
  anyBodyType?: true;
  status: 200 | 201;
  /** A second status of success. `when` says in which cases the response has this status. */
  otherStatus?: { status: 200 | 202; when: string; data?: z.ZodType };
  data: z.ZodType;
  /** Whether the response is one page of a list, with `meta` beside `data`. */
  paged?: true;
  /** Other media types that a caller may request with `Accept`. Their content has no JSON envelope. */
  alsoAs?: readonly { mediaType: FileType; description: string; example: string }[];
  /** Whether the endpoint supports the header `Idempotency-Key`. */
  keyed?: true;
  /** Whether the endpoint reads a device token from the header `X-Device-Token`. */
  fromDevice?: true;
  /** Whether the operator must have used the second factor within the last five minutes. */
  freshFactor?: true;
  /** Whether the gateway signs the request as an order of money, or as a decision about such an order. */
  signedOrder?: true;
  /** Whether the body or the answer contains a secret. The idempotency record is then encrypted. */
  carriesSecret?: true;
  /**
   * Whether the query may have `wait`. A request with `wait` is a long poll, and long polls have their own
   * limit of slots.
   */
  waits?: true;
  /**
   * Whether a sandbox response has the header `X-Sandbox-Warning`, with the reasons for which production
   * would refuse the request. The registration has it too, because a new account begins in the sandbox.
   */
  warnsInSandbox?: true;
  /**
   * Limits in 15 minutes over all replicas: the requests of one network, or its declined cards and useless
   * card tokens. A separate limit for each checkout would let an attacker use up a buyer's limit.
   */
  tries?: { perNetwork?: number; declinesPerNetwork?: number };
  /** The cost of a request in the rate limit of its IP address. The default is 1. */
  cost?: number;
  /** Whether scripts of any web page may read the response (CORS). */
  openToBrowsers?: true;
  errors: readonly ErrorCode[];
}

/**
 * An endpoint as the modules of this package declare it. `endpointsOf` adds the fields that most endpoints
 * share.
 */
export interface Definition extends Omit<Endpoint, 'method' | 'path' | 'service' | 'status' | 'errors'> {
  /** Method and path, such as `GET /v1/charges/:id`. */
  route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** The service that answers. The default is the service that is given to `endpointsOf`. */
  service?: ServiceName;
  /** The default is 200. */
  status?: 200 | 201;
  /** The codes of errors, without NOT_FOUND, which is added to every path with a parameter. */
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

/** Completes the endpoints of a service: splits `route` into method and path, and adds the defaults. */
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

/** Returns the method and path of an endpoint, such as `GET /v1/charges/:id`. */
export function routeOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}

/**
 * The cost of one read by a buyer's page in the rate limit. The cost exceeds one, because each read runs
 * several queries and needs no credentials.
 */
export const BUYERS_READ = 3;

export const anonymous: Access = { kind: 'public' };
export const bearer: Access = { kind: 'bearer' };

/**
 * Returns the access for an endpoint that only reads. An API key needs one of the scopes; without `anyOf`
 * every valid key is accepted.
 */
export function reads(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: false };
}

/** Returns the access for an endpoint that changes data. An API key needs one of the scopes. */
export function writes(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: false };
}

/**
 * Returns the access for an endpoint that moves money or prepares a movement of money. Suspended and rejected
 * merchants are refused.
 */
export function movesMoney(...anyOf: Scope[]): Access {
  return { kind: 'merchant', anyOf, spends: true };
}

export function operators(...roles: OperatorRole[]): Access {
  return { kind: 'operator', roles };
}

export const everyRole = operators(...operatorRoles);
export const finance = operators('ADMIN', 'FINANCE');
