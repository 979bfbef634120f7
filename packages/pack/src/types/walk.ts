import { type Endpoint, endpoints } from '@plataforma/contracts';
import { Download, List, Plataforma } from '@plataforma/sdk';

/** A method of the SDK, and the request it sends. */
export interface Walked {
  /** Of its resource and its own, such as `sandbox`, `charges`, `pay`. */
  path: readonly string[];
  /** `GET /v1/charges/:id`. */
  route: string;
  accept: string;
  isKeyed: boolean;
  returns: 'answer' | 'list' | 'file';
}

const ID = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

export const routeOf = ({ method, path }: Endpoint) =>
  `${method.toUpperCase()} ${path.replace(/:\w+/g, ':id')}`;

const byRoute = new Map(endpoints.map((endpoint) => [routeOf(endpoint), endpoint]));

export function endpointOf({ route }: Walked): Endpoint {
  const endpoint = byRoute.get(route);
  if (!endpoint) throw new Error(`no endpoint is ${route}`);
  return endpoint;
}

/** Calls every method once: what it sends says which endpoint it is for, so that no second list does. */
export async function walkMethods(): Promise<Walked[]> {
  const sent: Omit<Walked, 'path' | 'returns'>[] = [];
  const plataforma = new Plataforma({
    ...{ apiKey: 'key', baseUrl: 'https://api.example', maxRetries: 0 },
    fetch: async (url, { method, ...init } = {}) => {
      const headers = new Headers(init.headers);
      const path = new URL(String(url)).pathname.replace(ID, ':id');
      const accept = headers.get('accept') ?? '';
      sent.push({ route: `${method} ${path}`, accept, isKeyed: headers.has('idempotency-key') });
      throw new TypeError('nothing answers');
    },
  });
  const walked: Walked[] = [];
  for (const { path, method } of methodsIn(plataforma)) {
    const given = method(ID, {}, {});
    await askFor(given).catch(() => undefined);
    const [request, ...more] = sent.splice(0);
    if (!request || more.length > 0) throw new Error(`${path.join('.')} sends not one request`);
    const returns = given instanceof List ? 'list' : given instanceof Download ? 'file' : 'answer';
    walked.push({ path, ...request, returns });
  }
  return walked;
}

interface Method {
  path: readonly string[];
  method: (...given: unknown[]) => unknown;
}

function methodsIn(resource: object, path: readonly string[] = []): Method[] {
  return Object.entries(resource).flatMap(([name, each]) =>
    typeof each === 'function' ? { path: [...path, name], method: each } : methodsIn(each, [...path, name]),
  );
}

async function askFor(given: unknown): Promise<unknown> {
  if (given instanceof List) return given.page();
  return given instanceof Download ? given.text() : given;
}
