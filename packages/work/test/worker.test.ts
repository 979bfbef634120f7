import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { createCapturedLog } from '@plataforma/testing/fixtures';
import { silent } from '@plataforma/testing/world';
import { type ClaimedJob, startWorkers, type WorkKind } from '../src/worker.ts';

interface Item {
  id: string;
}

interface Options {
  work: (item: Item, until: Date) => Promise<void>;
  putOff?: (item: Item) => Promise<void>;
  clock?: () => Date;
  leaseMs?: number;
  atOnce?: number;
}

const workers: { stop(): Promise<void> }[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

/** Creates a kind of work. Each claim takes items from the list `due`. */
function kindOf(due: string[], { work, putOff }: Pick<Options, 'work' | 'putOff'>) {
  const claims: { limit: number; except: readonly string[] }[] = [];
  const jobOf = (item: Item): ClaimedJob => ({
    id: item.id,
    work: (until) => work(item, until),
    ...(putOff && { putOff: () => putOff(item) }),
  });
  const kind: WorkKind = {
    name: 'notes',
    claimDue: async ({ limit, except }) => {
      claims.push({ limit, except });
      return due.splice(0, limit).map((id) => jobOf({ id }));
    },
  };
  return { kind, claims };
}

function start(due: string[], { work, putOff, ...options }: Options) {
  const { kind, claims } = kindOf(due, { work, ...(putOff && { putOff }) });
  const worker = startWorkers({
    database: { writes: () => 0 },
    ...{ log: silent, clock: () => new Date(), everyMs: 5, leaseMs: 1_000, atOnce: 2 },
    kinds: [kind],
    findDue: async () => [due.length > 0],
    ...options,
  });
  workers.push(worker);
  return { worker, claims };
}

test('a slow item delays no other and is claimed once', async () => {
  const slow = Promise.withResolvers<void>();
  const done: string[] = [];
  const { claims } = start(['slow', 'a', 'b', 'c'], {
    work: async ({ id }) => {
      if (id === 'slow') await slow.promise;
      done.push(id);
    },
  });

  await eventually(() => expect(done).toEqual(['a', 'b', 'c']));
  expect(claims.at(-1)).toEqual({ limit: 1, except: ['slow'] });
  slow.resolve();

  await eventually(() => expect(done).toEqual(['a', 'b', 'c', 'slow']));
});

test('the number of items at work is limited', async () => {
  const blocked = Promise.withResolvers<void>();
  let atWork = 0;
  const due = ['a', 'b', 'c', 'd'];
  start(due, {
    work: async () => {
      atWork += 1;
      await blocked.promise;
    },
  });

  await eventually(() => expect(atWork).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const left = due.length;
  blocked.resolve();

  expect(left).toBe(2);
  await eventually(() => expect(atWork).toBe(4));
});

test('a failure delays only its own item', async () => {
  const [put, done]: [string[], string[]] = [[], []];
  start(['bad', 'good'], {
    work: async ({ id }) => {
      if (id === 'bad') throw new Error('the provider is away');
      done.push(id);
    },
    putOff: async ({ id }) => {
      put.push(id);
      throw new Error('the database is away');
    },
  });

  await eventually(() => expect([put, done]).toEqual([['bad'], ['good']]));
});

test('a failure’s log has the item’s fields or its id', async () => {
  const { log, lines } = createCapturedLog();
  const fail = () => Promise.reject(new Error('away'));
  const jobs: ClaimedJob[] = [
    { id: 'secret', logFields: { linkId: 'link-1' }, work: fail, putOff: fail },
    { id: 'plain', work: fail },
  ];
  const kinds: WorkKind[] = [{ name: 'notes', claimDue: async ({ limit }) => jobs.splice(0, limit) }];
  const worker = startWorkers({
    ...{ log, kinds, database: { writes: () => 0 }, findDue: async () => [jobs.length > 0] },
    ...{ clock: () => new Date(), everyMs: 5, leaseMs: 1_000, atOnce: 2 },
  });
  workers.push(worker);

  await eventually(() => expect(lines).toHaveLength(3));
  const named = lines.map((line) => JSON.parse(line)).map(({ id, linkId }) => id ?? linkId);
  expect(named.sort()).toEqual(['link-1', 'link-1', 'plain']);
  expect(lines.join()).not.toContain('secret');
});

test('work receives its lease end by the claim’s clock', async () => {
  const ends: Date[] = [];
  const now = new Date('2026-11-21T12:00:00Z');
  start(['a'], { clock: () => now, leaseMs: 30_000, work: async (_item, until) => void ends.push(until) });

  await eventually(() => expect(ends).toEqual([new Date('2026-11-21T12:00:30Z')]));
});

test('a stop waits for running items and claims no more', async () => {
  const blocked = Promise.withResolvers<void>();
  const begun: string[] = [];
  const due = ['a', 'b', 'c'];
  const { worker } = start(due, {
    atOnce: 1,
    work: async ({ id }) => {
      begun.push(id);
      await blocked.promise;
    },
  });
  await eventually(() => expect(begun).toEqual(['a']));

  let hasStopped = false;
  const stopping = worker.stop().then(() => {
    hasStopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stoppedEarly = hasStopped;
  blocked.resolve();
  await stopping;

  expect([stoppedEarly, begun, due]).toEqual([false, ['a'], ['b', 'c']]);
});

test('only due kinds are claimed, even beside a full kind', async () => {
  const blocked = Promise.withResolvers<void>();
  const done: string[] = [];
  const due = { full: ['x', 'y', 'z'], other: [] as string[], idle: [] as string[] };
  const full = kindOf(due.full, { work: () => blocked.promise });
  const other = kindOf(due.other, { work: async ({ id }) => void done.push(id) });
  const idle = kindOf(due.idle, { work: async () => undefined });
  const worker = startWorkers({
    database: { writes: () => 0 },
    ...{ log: silent, clock: () => new Date(), everyMs: 5, leaseMs: 1_000, atOnce: 2 },
    kinds: [full.kind, other.kind, idle.kind],
    findDue: async () => [due.full.length > 0, due.other.length > 0, due.idle.length > 0],
  });
  workers.push(worker);
  await eventually(() => expect(due.full).toEqual(['z']));

  due.other.push('a');
  await eventually(() => expect(done).toEqual(['a']));
  blocked.resolve();
  await eventually(() => expect(due.full).toEqual([]));

  expect(idle.claims).toEqual([]);
});

test('a kind may have a lower limit than the others', async () => {
  const blocked = Promise.withResolvers<void>();
  const heavy = kindOf(['x', 'y', 'z'], { work: () => blocked.promise });
  const light = kindOf(['a', 'b', 'c'], { work: () => blocked.promise });
  const worker = startWorkers({
    database: { writes: () => 0 },
    ...{ log: silent, clock: () => new Date(), everyMs: 5, leaseMs: 1_000, atOnce: 2 },
    kinds: [{ ...heavy.kind, atOnce: 1 }, light.kind],
    findDue: async () => [true, true],
  });
  workers.push(worker);

  await eventually(() => expect(light.claims).toHaveLength(1));
  const limits = [heavy.claims, light.claims].map((claims) => claims.map(({ limit }) => limit));
  blocked.resolve();

  expect(limits).toEqual([[1], [2]]);
});

test('a wake-up claims due items, even during another claim', async () => {
  const due: string[] = [];
  const done: string[] = [];
  const { kind, claims } = kindOf(due, { work: async ({ id }) => void done.push(id) });
  const claimed = Promise.withResolvers<void>();
  const slow: WorkKind = {
    ...kind,
    claimDue: async (request) => {
      const jobs = await kind.claimDue(request);
      if (claims.length === 1) await claimed.promise;
      return jobs;
    },
  };
  const worker = startWorkers({
    database: { writes: () => 0 },
    ...{ log: silent, clock: () => new Date(), everyMs: 3_600_000, leaseMs: 1_000, atOnce: 2 },
    kinds: [slow],
    findDue: async () => [false],
  });
  workers.push(worker);

  worker.wake();
  await eventually(() => expect(claims).toHaveLength(1));
  due.push('a');
  worker.wake();
  claimed.resolve();

  await eventually(() => expect(done).toEqual(['a']));
  expect(claims).toHaveLength(2);
});
