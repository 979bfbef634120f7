import { expect, test } from '@jest/globals';
import { type Environment, newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { createWaitingReaders } from '../../src/feed/waiting-readers.ts';

const readerOf = (environment: Environment, merchantId: string = newId()) => ({
  ...{ tenant: { merchantId, environment }, waitMs: 60_000, whenGone: () => undefined },
});
const found = async () => ({ items: ['event'] });

test('a slow read delays long polls of its own account only', async () => {
  const { wait } = createWaitingReaders();
  const dear = Promise.withResolvers<{ items: string[] }>();
  const sandbox = readerOf('sandbox');
  const first = wait(sandbox, () => dear.promise);
  let isAnswered = false;
  const second = wait(sandbox, found).finally(() => {
    isAnswered = true;
  });

  const others = [readerOf('production', sandbox.tenant.merchantId), readerOf('sandbox')];
  expect(await Promise.all(others.map((other) => wait(other, found)))).toHaveLength(2);
  expect(isAnswered).toBe(false);
  dear.reject(new Error('the list took too long to read'));
  await expect(first).rejects.toThrow('too long');
  await second;
  await eventually(() => expect(isAnswered).toBe(true));
});
