import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { authenticateCaller } from '../src/caller.ts';

test('a caller whose session ended during a slow authentication is authenticated again', async () => {
  const answers = ['owner', 'nobody'];
  const { principal, current } = await authenticateCaller(async () => {
    const answer = answers.shift();
    await sleep(250);
    return answer;
  });

  expect([principal, await current()]).toEqual(['owner', 'nobody']);
});
