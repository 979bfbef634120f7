import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { actFor, comeFrom, leaveNetwork, runInContext } from '@plataforma/observe';
import { createFairLine, currentHolder, type LineRefusal } from '../src/fair-line.ts';

const tenant = (merchantId: string, environment: Tenant['environment'] = 'production') => ({
  ...{ merchantId, environment },
});

/**
 * Creates a line, by default with one slot. Added work runs until the test ends it with `endOne` or `endAll`.
 */
function lineOf({ total = 1, perAccount = 3, perClass = 4, waitMs = 60_000, quickMs = 0 } = {}) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refuse = (why: LineRefusal) => new Error(why);
  const line = createFairLine({ total, waiting: { perAccount, perClass }, waitMs, refuse, quickMs });
  const add = (of: Tenant | { network: string }, longestMs?: number) =>
    line
      .run(
        of,
        () => {
          begun.push('network' in of ? of.network : of.merchantId);
          return new Promise<void>((resolve) => ends.push(resolve));
        },
        longestMs,
      )
      .then(
        () => 'ran',
        (error: Error) => error.message,
      );
  const runMicrotasks = async () => {
    for (let round = 0; round < 20; round += 1) await Promise.resolve();
  };
  const endOne = async () => {
    ends.shift()?.();
    await runMicrotasks();
  };
  const endAll = async () => {
    while (ends.length > 0) await endOne();
  };
  return { add, begun, endOne, endAll, waiting: line.waiting };
}

test('accounts alternate, even if one sends many requests first', async () => {
  const { add, begun, endAll } = lineOf({ perClass: 8 });
  const all = ['a', 'a', 'a', 'b', 'c', 'b'].map((name) => add(tenant(name)));

  await endAll();

  expect(await Promise.all(all)).toEqual(Array(6).fill('ran'));
  expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
});

test('networks without an account alternate with each other and accounts', async () => {
  const { add, begun, endAll } = lineOf({ perClass: 8 });
  const all = [{ network: 'x' }, { network: 'x' }, { network: 'x' }, tenant('a'), { network: 'y' }].map(add);

  await endAll();

  expect(await Promise.all(all)).toEqual(Array(5).fill('ran'));
  expect(begun).toEqual(['x', 'x', 'a', 'y', 'x']);
});

test('a request counts for its network until its caller is authenticated', () => {
  const account = tenant('a');
  const holders = runInContext({ traceparent: '' }, () => {
    comeFrom('x');
    const stranger = currentHolder();
    leaveNetwork();
    const operator = currentHolder();
    comeFrom('x');
    actFor(account);
    return [stranger, operator, currentHolder()];
  });

  expect(holders).toEqual([{ network: 'x' }, undefined, account]);
});

test('slow requests of one network leave slots to others', async () => {
  const { add, begun, endAll } = lineOf({ total: 8, perAccount: 9, perClass: 9 });
  const all = [...Array(8).fill({ network: 'x' }), { network: 'y' }, { network: 'z' }, tenant('a')].map(add);
  await Promise.resolve();

  expect(begun).toEqual(['x', 'x', 'x', 'y', 'z', 'a']);
  await endAll();
  await Promise.all(all);
});

test('an account, all sandboxes and all others have separate queues', async () => {
  const { add, endAll } = lineOf();
  const first = add(tenant('a'));
  const sent = ['b', 'b', 'b', 'b', 'c', 'd'].map((name) => add(tenant(name)));
  const sandboxes = ['e', 'f', 'g', 'h', 'i'].map((name) => add(tenant(name, 'sandbox')));

  await endAll();

  expect(await Promise.all([first, ...sent])).toEqual(['ran', 'ran', 'ran', 'ran', 'account', 'ran', 'full']);
  expect(await Promise.all(sandboxes)).toEqual(['ran', 'ran', 'ran', 'ran', 'sandboxes']);
});

test('a request that waits too long is refused and dequeued', async () => {
  const { add, begun, endAll, waiting } = lineOf({ waitMs: 5 });
  const first = add(tenant('a'));

  expect(await Promise.all([add(tenant('b')), add(tenant('c', 'sandbox'))])).toEqual(['full', 'sandboxes']);
  expect([begun, waiting()]).toEqual([['a'], 0]);

  await endAll();
  expect(await first).toBe('ran');
});

test('an account leaves a slot, and all sandboxes leave half', () => {
  const { add, begun } = lineOf({ total: 4, perAccount: 9, perClass: 9 });
  const beginAll = (names: string[], environment: Tenant['environment']) => {
    const before = begun.length;
    for (const name of names) void add(tenant(name, environment));
    return begun.slice(before);
  };

  expect(beginAll(['a', 'a', 'b', 'c'], 'sandbox')).toEqual(['a', 'b']);
  expect(beginAll(['d', 'e', 'f'], 'production')).toEqual(['d', 'e']);

  const line = lineOf({ total: 4, perAccount: 9, perClass: 9 });
  for (let work = 0; work < 4; work += 1) void line.add(tenant('a'));
  void line.add(tenant('b'));
  expect(line.begun).toEqual(['a', 'a', 'a', 'b']);
});

test('quick requests of a sandbox take most slots, slow ones fewer', async () => {
  const { add, begun, endOne, endAll } = lineOf({ total: 8, perAccount: 9, perClass: 9, quickMs: 40 });
  const sandbox = tenant('a', 'sandbox');
  const all = Array.from({ length: 8 }, () => add(sandbox));
  expect(begun).toHaveLength(6);

  await new Promise((resolve) => setTimeout(resolve, 60));
  // Five slow items are still running, which is more than the account's limit of three. So no further item
  // starts.
  await endOne();
  expect(begun).toHaveLength(6);
  all.push(add(tenant('b')));
  expect(begun.at(-1)).toBe('b');

  for (let slow = 5; slow > 2; slow -= 1) await endOne();
  expect(begun.slice(7)).toEqual(['a', 'a']);
  await endAll();
  expect(await Promise.all(all)).toEqual(Array(9).fill('ran'));
});

test('a request with its own timeout waits longer', async () => {
  const { add, endAll } = lineOf({ waitMs: 1 });
  const first = add(tenant('a'));
  const unlimited = add(tenant('b'), Number.POSITIVE_INFINITY);

  expect(await add(tenant('c'))).toBe('full');
  await endAll();

  expect(await Promise.all([first, unlimited])).toEqual(['ran', 'ran']);
});
