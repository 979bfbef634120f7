import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { hasBody } from './body-type.ts';

export interface Resource {
  path: string;
  /** The endpoints of the path by method in capitals. `HEAD` has the endpoint of `GET`. */
  endpoints: ReadonlyMap<string, Endpoint>;
  allowed: readonly string[];
  isOpenToBrowsers: boolean;
}

export type RouteTable = (url: string) => Resource | undefined;

/**
 * Creates a table that matches paths as express does: case-sensitive, with an optional slash at the end.
 * `:name` matches one segment. A path without parameters takes precedence over paths with parameters, for
 * every method.
 */
export function routeTable(endpoints: readonly Endpoint[]): RouteTable {
  const plain = new Map<string, Resource>();
  const patterns = new Map<number, { pattern: RegExp; resource: Resource }[]>();
  for (const [written, ofPath] of Map.groupBy(endpoints, ({ path }) => path.replace(/:\w+/g, '[^/]+'))) {
    const resource = resourceOf(ofPath);
    if (!written.includes('[')) plain.set(written, resource);
    else {
      const length = segmentsOf(written);
      const existing = patterns.get(length) ?? [];
      patterns.set(length, [...existing, { pattern: new RegExp(`^${written}$`), resource }]);
    }
  }
  return (url) => {
    const path = pathOf(url);
    return (
      plain.get(path) ?? patterns.get(segmentsOf(path))?.find(({ pattern }) => pattern.test(path))?.resource
    );
  };
}

function resourceOf(endpoints: readonly Endpoint[]): Resource {
  const methods = endpoints.flatMap((endpoint): [string, Endpoint][] =>
    endpoint.method === 'get'
      ? ['GET', 'HEAD'].map((method) => [method, endpoint])
      : [[endpoint.method.toUpperCase(), endpoint]],
  );
  const byMethod = new Map(methods);
  const isOpenToBrowsers = endpoints.some((endpoint) => endpoint.openToBrowsers);
  return {
    path: endpoints[0]?.path ?? '',
    endpoints: byMethod,
    allowed: [...byMethod.keys(), ...(isOpenToBrowsers ? ['OPTIONS'] : [])],
    isOpenToBrowsers,
  };
}

/** Returns the resource of a page that is no endpoint and takes only GET and HEAD. */
export function readOnly(path: string): Resource {
  return { path, endpoints: new Map(), allowed: ['GET', 'HEAD'], isOpenToBrowsers: false };
}

/**
 * Returns the endpoint of the request's method. Refuses another method, and names the methods that the path
 * takes.
 */
export function requireMethod(
  req: IncomingMessage,
  res: ServerResponse,
  { endpoints, allowed }: Resource,
): Endpoint {
  const endpoint = endpoints.get(req.method ?? '');
  if (endpoint) return endpoint;
  // The connection closes, because the service does not read the body and proxies may disagree where the body
  // ends.
  if (hasBody(req)) res.setHeader('Connection', 'close');
  res.setHeader('Allow', allowed.join(', '));
  throw new Refusal('method', 'METHOD_NOT_ALLOWED', `the path takes ${allowed.join(', ')}`);
}

function segmentsOf(path: string): number {
  return path.replaceAll('[^/]', '').split('/').length;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
