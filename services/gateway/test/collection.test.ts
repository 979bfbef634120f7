import { expect, test } from '@jest/globals';
import { collectionOf } from '@plataforma/api-docs/collection';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

test('the request collection uses the address at which it was requested', async () => {
  const answer = await fetch(`${world.gateway.url}/collection.json`);

  expect(answer.headers.get('content-type')).toMatch('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { origin } = new URL(world.gateway.url);
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(collectionOf(origin))));
});
