import { describe, expect, test } from '@jest/globals';
import { api, type Endpoint } from '@plataforma/contracts';
import { collectionOf } from '../src/collection.ts';
import { journey } from '../src/journey.ts';

const collection = collectionOf('https://api.example');
const text = JSON.stringify(collection);
const steps = journey.flatMap((folder) => folder.steps);

describe('the collection', () => {
  test('has every operation for merchants, and none for operators', () => {
    const forMerchants = Object.entries<Endpoint>(api)
      .filter(([, { path }]) => !path.startsWith('/v1/admin/'))
      .map(([name]) => name);

    expect([...new Set<string>(steps.map(({ operation }) => operation))].toSorted()).toEqual(
      forMerchants.toSorted(),
    );
  });

  test('uses only its own variables and the given address', () => {
    const used = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));

    expect(collection.variable.map(({ key }) => key)).toEqual(expect.arrayContaining([...used]));
    expect(collection.variable[0]).toMatchObject({ key: 'baseUrl', value: 'https://api.example' });
  });

  test('sends each keyed request with a new Idempotency-Key', () => {
    const keys = [...text.matchAll(/"key":"Idempotency-Key","value":"([^"]+)"/g)].map(([, value]) => value);

    expect(new Set(keys)).toEqual(new Set(['{{$guid}}']));
  });

  test('uses each id only after a step has saved it', () => {
    const saved = new Set<string>();
    const early = steps.flatMap(({ operation, id, saves = {} }) => {
      const isThere = id === undefined || saved.has(id);
      for (const name of Object.keys(saves)) saved.add(name);
      return isThere ? [] : [operation];
    });

    expect(early).toEqual([]);
  });
});
