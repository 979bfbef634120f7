import { expect, test } from '@jest/globals';
import { api, errorCatalogue, routeOf, webhookEvents } from '@plataforma/contracts';
import { document } from './support/document.ts';

const guide = document.info.description;

test('the introduction names only existing codes, events and paths', () => {
  const codes = [...guide.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code]) => code);
  const events = [...guide.matchAll(/`((?:charge|dispute|withdrawal|webhook)\.\w+)`/g)].map(
    ([, event]) => event,
  );
  const paths = [...guide.matchAll(/`(GET|POST|DELETE) (\/v1[^`?\s]*)[^`]*`/g)].map(
    ([, verb, path]) => `${verb} ${path}`,
  );
  const existing = Object.values(api).map((endpoint) => routeOf(endpoint).replace(/:(\w+)/g, '{$1}'));

  expect(codes.length * events.length * paths.length).toBeGreaterThan(0);
  expect(Object.keys(errorCatalogue)).toEqual(expect.arrayContaining(codes));
  expect(Object.keys(webhookEvents)).toEqual(expect.arrayContaining(events));
  expect(existing).toEqual(expect.arrayContaining(paths));
});
