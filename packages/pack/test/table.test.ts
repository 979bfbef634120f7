import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@plataforma/contracts';
import { routeOf, walkMethods } from '../src/types/walk.ts';

const ofKeys = endpoints.filter(({ access }) => access.kind === 'merchant');

describe('an endpoint that takes an API key', () => {
  test('has exactly one method in the SDK, and one more for each file that it answers', async () => {
    const expected = ofKeys.flatMap((endpoint) =>
      ['application/json', ...(endpoint.alsoAs ?? []).map(({ mediaType }) => mediaType)].map(
        (accept) => `${routeOf(endpoint)} ${accept}`,
      ),
    );

    const found = (await walkMethods()).map(({ route, accept }) => `${route} ${accept}`);

    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test('is sent an Idempotency-Key where it honours one, and nowhere else', async () => {
    const keyed = (await walkMethods()).filter(({ isKeyed }) => isKeyed).map(({ route }) => route);

    expect(keyed.toSorted()).toEqual(
      ofKeys
        .filter((each) => each.keyed)
        .map(routeOf)
        .toSorted(),
    );
  });

  test('is read page by page where it answers pages, and under `sandbox` where only the sandbox has it', async () => {
    const walked = await walkMethods();
    const lists = walked.filter(({ returns }) => returns === 'list').map(({ route }) => route);
    const inSandbox = walked.filter(({ path }) => path[0] === 'sandbox').map(({ route }) => route);

    expect(lists.toSorted()).toEqual(
      ofKeys
        .filter((each) => each.paged)
        .map(routeOf)
        .toSorted(),
    );
    expect(inSandbox.toSorted()).toEqual(
      ofKeys
        .map(routeOf)
        .filter((route) => route.includes(' /v1/sandbox/'))
        .toSorted(),
    );
  });
});
