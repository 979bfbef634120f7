import { describe, expect, test } from '@jest/globals';
import { type Endpoint, endpoints } from '@plataforma/contracts';
import { Download, List, Plataforma } from '../src/index.ts';

const ID = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

interface Request {
  route: string;
  accept: string;
  isKeyed: boolean;
}

/** Every method of every resource, called once; what it sends. */
async function walked(): Promise<Request[]> {
  const requests: Request[] = [];
  const plataforma = new Plataforma({
    ...{ apiKey: 'key', baseUrl: 'https://api.example', maxRetries: 0 },
    fetch: async (url, init = {}) => {
      const headers = new Headers(init.headers);
      const path = new URL(String(url)).pathname.replace(ID, ':id');
      const accept = headers.get('accept') ?? '';
      requests.push({ route: `${init.method} ${path}`, accept, isKeyed: headers.has('idempotency-key') });
      throw new TypeError('nothing answers');
    },
  });
  for (const method of methodsIn(plataforma)) {
    const answer = method(ID, {}, {});
    const asked =
      answer instanceof List ? answer.page() : answer instanceof Download ? answer.text() : answer;
    await Promise.resolve(asked).catch(() => undefined);
  }
  return requests;
}

function methodsIn(resource: object): ((...given: unknown[]) => unknown)[] {
  return Object.values(resource).flatMap((each) => (typeof each === 'function' ? each : methodsIn(each)));
}

const routeOf = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path.replace(/:\w+/, ':id')}`;
const ofKeys = endpoints.filter(({ access }) => access.kind === 'merchant');

describe('an endpoint that takes an API key', () => {
  test('has exactly one method, and one more for each file that it answers', async () => {
    const expected = ofKeys.flatMap((endpoint) =>
      ['application/json', ...(endpoint.alsoAs ?? []).map(({ mediaType }) => mediaType)].map(
        (accept) => `${routeOf(endpoint)} ${accept}`,
      ),
    );

    const found = (await walked()).map(({ route, accept }) => `${route} ${accept}`);

    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test('is sent an Idempotency-Key where it honours one, and nowhere else', async () => {
    const requests = await walked();

    const keyed = requests.filter(({ isKeyed }) => isKeyed).map(({ route }) => route);

    expect(keyed.toSorted()).toEqual(
      ofKeys
        .filter((each) => each.keyed)
        .map(routeOf)
        .toSorted(),
    );
  });
});
