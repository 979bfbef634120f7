import type { Endpoint } from '@plataforma/contracts';

/** The endpoint that a method and a path mean, if any. */
export type RouteTable = (method: string, url: string) => Endpoint | undefined;

/** Paths are read as express reads them: letter for letter, a slash at the end or not; a name stands for one segment. */
export function routeTable(endpoints: readonly Endpoint[]): RouteTable {
  const plain = new Map<string, Endpoint>();
  const patterns = new Map<string, { pattern: RegExp; endpoint: Endpoint }[]>();
  for (const endpoint of endpoints) {
    const { method, path } = endpoint;
    if (!path.includes(':')) {
      plain.set(`${method} ${path}`, endpoint);
      continue;
    }
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
    const key = keyOf(method, path);
    patterns.set(key, [...(patterns.get(key) ?? []), { pattern, endpoint }]);
  }
  return (method, url) => {
    const meant = method === 'HEAD' ? 'get' : method.toLowerCase();
    const path = pathOf(url);
    return (
      plain.get(`${meant} ${path}`) ??
      patterns.get(keyOf(meant, path))?.find(({ pattern }) => pattern.test(path))?.endpoint
    );
  };
}

function keyOf(method: string, path: string): string {
  return `${method} ${path.split('/').length}`;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
