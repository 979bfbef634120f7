import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { inside, isObject, listIn, operationsIn } from '../src/schemas.ts';
import { text } from './support/document.ts';

const operations = operationsIn(z.looseObject({}).parse(JSON.parse(text)));

function exampleOf(name: string): unknown {
  const operation = operations.find(({ operationId }) => operationId === name);
  return inside(operation, 'responses', '200', 'content', 'application/json').example;
}

const OUTCOMES = {
  approve: 'APPROVED',
  hold: 'PENDING',
  reject: 'REJECTED',
  complete: 'COMPLETED',
  fail: 'FAILED',
};

test.each(
  Object.entries(OUTCOMES).flatMap(([verb, status]) =>
    operations
      .map(({ operationId }) => `${operationId}`)
      .filter((name) => new RegExp(`^${verb}(Sandbox)?Withdrawal$`).test(name))
      .map((name): [string, string] => [name, status]),
  ),
)('the answer of %s shows a withdrawal that is %s', (name, status) => {
  expect(exampleOf(name)).toMatchObject({ data: { status } });
});

test('a parameter is deprecated where its schema is', () => {
  const parameters = operations.flatMap((operation) => listIn(operation, 'parameters').filter(isObject));
  const older = parameters.filter((parameter) => inside(parameter, 'schema').deprecated);

  expect(older.length).toBeGreaterThan(0);
  expect(older.filter(({ deprecated }) => deprecated !== true)).toEqual([]);
});
