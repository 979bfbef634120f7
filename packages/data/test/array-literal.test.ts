import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { databaseOfFile } from '@plataforma/testing/fixtures';
import { plainArray } from '../src/array-literal.ts';

const database = databaseOfFile([], 1);

const readBack = async (sort: string, elements: readonly unknown[]) => {
  const text = `SELECT $1::${sort}[] AS elements`;
  const [prepared] = await database.query<{ elements: unknown[] }>(text, [elements]);
  const [unprepared] = await database.queryUnprepared<{ elements: unknown[] }>(text, [elements]);
  expect(unprepared).toEqual(prepared);
  return prepared?.elements;
};

test.each([
  ['uuid', [newId(), newId(), null]],
  ['text', ['charge.paid', 'sandbox', 'a_b-c+d', '2026-11-26T01:02:03.000Z', 'nulls', '1e5', null]],
  ['int', [1, -2, null, 0]],
  ['boolean', [true, false, null]],
  ['float8', [0.5, -1e-7, 1e21]],
  ['text', []],
])('an array of %s is passed without quotes', async (sort, elements) => {
  expect(plainArray(elements)).not.toContain('"');
  expect(await readBack(sort, elements)).toEqual(elements);
});

test.each([
  ['NULL', 'null', 'Null'],
  ['', 'a'],
  ['a,b', 'c'],
  ['{a}', 'b'],
  ['"a"', 'b'],
  ['back\\slash', 'b'],
  [' a', 'b '],
  ['two\nlines', 'b'],
  ['João', 'b'],
  ['a', "it's"],
])('texts that need quotes get them: %j', async (...elements) => {
  expect(plainArray(elements)).toBeUndefined();
  expect(await readBack('text', elements)).toEqual(elements);
});

test('other elements are left to the driver', async () => {
  const at = new Date('2026-11-26T01:02:03.456Z');

  expect(await readBack('timestamptz', [at])).toEqual([at]);
  expect(await readBack('bytea', [Buffer.from('{a}')])).toEqual([Buffer.from('{a}')]);
  expect(await readBack('jsonb', [{ a: 1 }])).toEqual([{ a: 1 }]);
  expect(
    await readBack('int', [
      [1, 2],
      [3, 4],
    ]),
  ).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
