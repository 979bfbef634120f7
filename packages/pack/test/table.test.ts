import { describe, expect, test } from '@jest/globals';
import { endpoints, routeOf } from '@plataforma/contracts';
import { Download, List, Plataforma } from '@plataforma/sdk';
import { type DescribedMethod, describedMethods } from '@plataforma/sdk/described';

const ofKeys = endpoints
  .filter(({ access }) => access.kind === 'merchant')
  .map((endpoint) => ({ ...endpoint, route: routeOf(endpoint) }));
const routesOf = (chosen: readonly { route: string }[]) => chosen.map(({ route }) => route).toSorted();

const ID = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

/**
 * Calls a method of the SDK with a `fetch` that always fails. Returns a description of the request and of the
 * method's result.
 */
async function calledOnce({ path }: DescribedMethod) {
  const sent: object[] = [];
  const plataforma = new Plataforma({
    ...{ apiKey: 'key', baseUrl: 'https://api.example', maxRetries: 0 },
    fetch: async (url, { method, ...init } = {}) => {
      const headers = new Headers(init.headers);
      const route = `${method} ${new URL(String(url)).pathname.replace(ID, ':id')}`;
      sent.push({ route, accept: headers.get('accept'), isKeyed: headers.has('idempotency-key') });
      throw new TypeError('nothing answers');
    },
  });
  const method = path.reduce<unknown>((resource, name) => Object(resource)[name], plataforma);
  const returned: unknown = typeof method === 'function' ? method(ID, {}, {}) : undefined;
  const result =
    returned instanceof List ? returned.page() : returned instanceof Download ? returned.text() : returned;
  await Promise.resolve(result).catch(() => undefined);
  return { sent, isList: returned instanceof List, isFile: returned instanceof Download };
}

test.each(describedMethods.map((each) => [each.path.join('.'), each] as const))(
  '%s sends exactly its described request',
  async (_name, each) => {
    const { route, isKeyed, isList, fileType } = each;

    expect(await calledOnce(each)).toEqual({
      sent: [{ route, isKeyed, accept: fileType ?? 'application/json' }],
      isList,
      isFile: fileType !== null,
    });
  },
);

describe('an endpoint that takes an API key', () => {
  test('has one SDK method, and one for each file', () => {
    const expected = ofKeys.flatMap(({ route, alsoAs = [] }) =>
      [null, ...alsoAs.map(({ mediaType }) => mediaType)].map((type) => `${route} ${type}`),
    );

    const found = describedMethods.map(({ route, fileType }) => `${route} ${fileType}`);

    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test('is sent an Idempotency-Key only if it honours one', () => {
    expect(routesOf(describedMethods.filter(({ isKeyed }) => isKeyed))).toEqual(
      routesOf(ofKeys.filter(({ keyed }) => keyed)),
    );
  });

  test('is a list if paged, and under `sandbox` if sandbox-only', () => {
    expect(routesOf(describedMethods.filter(({ isList }) => isList))).toEqual(
      routesOf(ofKeys.filter(({ paged }) => paged)),
    );
    expect(routesOf(describedMethods.filter(({ path }) => path[0] === 'sandbox'))).toEqual(
      routesOf(ofKeys.filter(({ route }) => route.includes(' /v1/sandbox/'))),
    );
  });
});
