import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Holder } from '../src/index.ts';
import { createTurns } from '../src/turns.ts';

const account = (environment: 'sandbox' | 'production') => ({ merchantId: randomUUID(), environment });

/** Records the order in which pieces of work start. The test ends each piece. */
function starting(most: number) {
  const inTurn = createTurns({ production: most, sandbox: 1, operators: 1, others: 1 });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, holder: Holder) =>
    inTurn(holder, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const end = () => {
    ends.shift()?.();
    return new Promise(setImmediate);
  };
  return { inTurn, started, add, end };
}

test('sandboxes run one piece at a time and delay no production', async () => {
  const { started, add, end } = starting(2);
  const [one, other] = [account('sandbox'), account('sandbox')];
  const work = [
    add('a', one),
    add('b', other),
    add('c', account('production')),
    add('d', account('production')),
  ];

  const atOnce = [...started];
  for (const _piece of work) await end();
  await Promise.all(work);

  expect(atOnce).toEqual(['a', 'c', 'd']);
  expect(started).toEqual(['a', 'c', 'd', 'b']);
});

test('accounts alternate, however many pieces one of them has', async () => {
  const { started, add, end } = starting(1);
  const [flood, other] = [account('sandbox'), account('sandbox')];
  const work = ['f1', 'f2', 'f3', 'f4'].map((name) => add(name, flood));
  work.push(add('o1', other));

  for (const _piece of work) await end();
  await Promise.all(work);

  expect(started).toEqual(['f1', 'f2', 'o1', 'f3', 'f4']);
});

test('a piece that fails hands its turn over', async () => {
  const { inTurn, add, started, end } = starting(1);
  const caller = account('sandbox');
  const failed = inTurn(caller, () => Promise.reject(new Error('broken')));
  const next = add('next', caller);

  await expect(failed).rejects.toThrow('broken');
  await end();
  await next;

  expect(started).toEqual(['next']);
});
