import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { authenticateCaller } from '../src/caller.ts';

test('a session that ends during a slow authentication is checked again', async () => {
  const answers = ['owner', 'nobody'];
  const { principal, current } = await authenticateCaller(async () => {
    const answer = answers.shift();
    await sleep(250);
    return answer;
  });

  expect([principal, await current()]).toEqual(['owner', 'nobody']);
});
