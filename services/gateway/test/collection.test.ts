import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionOf } from '@plataforma/api-docs/collection';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

test('the collection sends to the address at which it was asked for', async () => {
  const answer = await fetch(`${world.gateway.url}/collection.json`);

  expect(answer.headers.get('content-type')).toMatch('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { origin } = new URL(world.gateway.url);
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(collectionOf(origin))));
});
