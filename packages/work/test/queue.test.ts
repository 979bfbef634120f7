import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { type Environment, newId } from '@plataforma/kernel';
import { createTestDatabase } from '@plataforma/testing';
import { openAt } from '@plataforma/testing/world';
import { createQueue } from '../src/queue.ts';

const MINUTE = 60_000;
const now = new Date('2026-11-21T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);

let database: Database;

beforeAll(async () => {
  database = openAt((await createTestDatabase()).url);
  await database.query(`
    CREATE TABLE notes (
      id uuid PRIMARY KEY, environment text, status text, due_at timestamptz, attempts integer DEFAULT 0,
      lease_token uuid, lease_until timestamptz)`);
});
afterAll(() => database.close());

const columns = ['id', 'due_at', 'attempts'] as const;
const about = { table: 'notes', columns, due: 'due_at', attempts: 'attempts', open: "status = 'OPEN'" };
type DueRow = { id: string; due_at: Date; attempts: number };
const notes = createQueue<DueRow>(about);

async function addNote(
  dueAt: Date | null,
  { status = 'OPEN', environment = 'sandbox' } = {},
): Promise<string> {
  const id = newId();
  await database.query('INSERT INTO notes (id, environment, status, due_at) VALUES ($1, $2, $3, $4)', [
    ...[id, environment, status, dueAt],
  ]);
  return id;
}
const claimDue = (changes: object = {}) =>
  notes.claimDue(database, {
    ...{ environment: 'sandbox' as const, now, leaseMs: MINUTE, limit: 10, except: [] },
    ...changes,
  });
const ids = (rows: readonly DueRow[]) => rows.map(({ id }) => id).sort();

test('a due row is claimed once per lease and counted', async () => {
  const due = await addNote(ago(1));
  const others = [{ status: 'DONE' }, { environment: 'production' }];
  for (const other of others) await addNote(ago(1), other);
  await addNote(new Date(now.getTime() + 2 * MINUTE));
  await addNote(null);

  const [first, again] = [await claimDue(), await claimDue()];
  const later = await claimDue({ now: new Date(now.getTime() + MINUTE) });

  expect(first).toEqual([{ id: due, due_at: new Date(now.getTime() + MINUTE), attempts: 1 }]);
  expect(again).toEqual([]);
  expect(later).toMatchObject([{ id: due, attempts: 2 }]);
  await database.query('DELETE FROM notes');
});

test('due rows are detected without a claim', async () => {
  const isDue = async (environment: Environment) => {
    const [row] = await database.query<{ due: boolean }>(`SELECT ${notes.isDue(environment)} AS due`, [now]);
    return row?.due;
  };
  await addNote(new Date(now.getTime() + 1));
  await addNote(ago(1), { status: 'DONE' });
  await addNote(null);
  const before = await isDue('sandbox');
  await addNote(now);

  expect([before, await isDue('sandbox'), await isDue('production')]).toEqual([false, true, false]);
  await database.query('DELETE FROM notes');
});

test('rows without an environment are due and claimed in any', async () => {
  const shared = createQueue<DueRow>({ ...about, hasEnvironments: false });
  const id = await addNote(ago(1), { environment: 'elsewhere' });

  const [found] = await database.query(`SELECT ${shared.isDue('sandbox')} AS due`, [now]);
  const common = { environment: 'sandbox' as const, now, leaseMs: MINUTE, limit: 1, except: [] };

  expect(found).toEqual({ due: true });
  expect(ids(await shared.claimDue(database, common))).toEqual([id]);
  await database.query('DELETE FROM notes');
});

test('two replicas claim no row twice and respect the limit', async () => {
  const all = [];
  for (let age = 10; age > 0; age -= 1) all.push(await addNote(ago(age * 1_000)));

  const batches = await Promise.all([claimDue({ limit: 4 }), claimDue({ limit: 4 })]);

  const taken = batches.flatMap(ids);
  expect(new Set(taken).size).toBe(taken.length);
  expect(taken.sort()).toEqual(all.slice(0, taken.length).sort());
  expect(batches.every((batch) => batch.length <= 4)).toBe(true);
  await database.query('DELETE FROM notes');
});

test('rows at work here are not claimed after their lease', async () => {
  const [mine, other] = [await addNote(ago(1)), await addNote(ago(1))];

  expect(ids(await claimDue({ except: [mine] }))).toEqual([other]);
  await database.query('DELETE FROM notes');
});

test('a claim writes a token, and notices never shorten leases', async () => {
  const leased = createQueue<DueRow & { lease_token: string | null; lease_until: Date | null }>({
    ...about,
    columns: [...columns, 'lease_token', 'lease_until'],
    lease: { token: 'lease_token', until: 'lease_until' },
  });
  const take = async (at: Date) =>
    leased.claimDue(database, { environment: 'sandbox', now: at, leaseMs: MINUTE, limit: 10, except: [] });
  const isDue = async (at: Date) =>
    (await database.query<{ due: boolean }>(`SELECT ${leased.isDue('sandbox')} AS due`, [at]))[0]?.due;
  const leaseEnd = new Date(now.getTime() + MINUTE);
  const id = await addNote(ago(1));

  const [first] = await take(now);
  await database.query('UPDATE notes SET due_at = $1', [ago(1)]);
  const meanwhile = [
    await isDue(now),
    await take(now),
    await leased.claimOne(database, { id, now, leaseMs: 1 }),
  ];
  const dueAfter = await isDue(leaseEnd);
  const [second] = await take(leaseEnd);
  await database.query('UPDATE notes SET lease_token = NULL, lease_until = NULL');
  const third = await leased.claimOne(database, { id, now, leaseMs: MINUTE });

  expect(first).toMatchObject({ id, attempts: 1, due_at: leaseEnd, lease_until: leaseEnd });
  expect([...meanwhile, dueAfter]).toEqual([false, [], null, true]);
  expect(third).toMatchObject({ id, attempts: 3, lease_until: leaseEnd });
  expect(new Set([first, second, third].map((row) => row?.lease_token)).size).toBe(3);
  await database.query('DELETE FROM notes');
});

describe('the end of a claim', () => {
  const leased = createQueue<DueRow & { lease_token: string; lease_until: Date | null }>({
    ...about,
    columns: [...columns, 'lease_token', 'lease_until'],
    lease: { token: 'lease_token', until: 'lease_until' },
  });
  const [soon, later] = [new Date(now.getTime() + MINUTE), new Date(now.getTime() + 2 * MINUTE)];
  const stored = async () =>
    (await database.query('SELECT due_at, lease_token, lease_until FROM notes'))[0] ?? {};
  async function claimed(at = now): Promise<{ id: string; token: string }> {
    const common = { environment: 'sandbox' as const, leaseMs: MINUTE, limit: 1, except: [] };
    const [row] = await leased.claimDue(database, { ...common, now: at });
    if (!row) throw new Error('nothing was claimed');
    return { id: row.id, token: row.lease_token };
  }

  beforeEach(async () => void (await addNote(ago(1))));
  afterEach(() => database.query('DELETE FROM notes'));

  test('sets when the row is due again', async () => {
    const isCurrent = await leased.release(database, { ...(await claimed()), dueAt: later });

    expect(isCurrent).toBe(true);
    expect(await stored()).toEqual({ due_at: later, lease_token: null, lease_until: null });
  });

  test('preserves a due time written by a notice', async () => {
    const lease = await claimed();
    await database.query('UPDATE notes SET due_at = $1', [now]);
    const isExtended = await leased.extend(database, { ...lease, now: soon, leaseMs: MINUTE });
    const whileAtWork = await stored();

    await leased.release(database, { ...lease, dueAt: later });

    expect(isExtended).toBe(true);
    expect(whileAtWork).toEqual({ due_at: now, lease_token: lease.token, lease_until: later });
    expect(await stored()).toEqual({ due_at: now, lease_token: null, lease_until: null });
  });

  test('writes nothing over a later claim', async () => {
    const late = await claimed();
    const current = await claimed(soon);

    const outcomes = [
      await leased.extend(database, { ...late, now: soon, leaseMs: 10 * MINUTE }),
      await leased.release(database, { ...late, dueAt: null }),
    ];

    expect(outcomes).toEqual([false, false]);
    expect(await stored()).toEqual({ due_at: later, lease_token: current.token, lease_until: later });
  });

  test('comes later by an extension, even after its time', async () => {
    const lease = await claimed();

    const isCurrent = await leased.extend(database, { ...lease, now: soon, leaseMs: MINUTE });

    expect(isCurrent).toBe(true);
    expect(await stored()).toEqual({ due_at: later, lease_token: lease.token, lease_until: later });
  });

  test('with a backoff preserves only times from notices', async () => {
    const backoff = { kind: 'steps', stepsMs: [10 * MINUTE] } as const;
    const lease = { token: 'lease_token', until: 'lease_until' };
    const resting = createQueue<DueRow & { lease_token: string }>({
      ...about,
      ...{ backoff, lease, columns: [...columns, 'lease_token'] },
    });
    const dueAfter = async (whileAtWork: () => Promise<unknown>) => {
      await database.query('UPDATE notes SET attempts = 0, due_at = $1', [ago(1)]);
      const common = { environment: 'sandbox' as const, leaseMs: MINUTE, limit: 1, except: [] };
      const [row] = await resting.claimDue(database, { ...common, now });
      if (!row) throw new Error('nothing was claimed');
      await whileAtWork();
      await resting.release(database, { id: row.id, token: row.lease_token, dueAt: later });
      return (await stored()).due_at;
    };

    expect([
      await dueAfter(async () => {}),
      await dueAfter(() => database.query('UPDATE notes SET due_at = $1', [now])),
      await dueAfter(() => database.query('UPDATE notes SET due_at = NULL')),
    ]).toEqual([later, now, null]);
  });

  test('exists only for queues with leases', async () => {
    const lease = { id: newId(), token: newId() };

    await expect(notes.release(database, { ...lease, dueAt: null })).rejects.toThrow('not leased');
    await expect(notes.extend(database, { ...lease, now, leaseMs: 1 })).rejects.toThrow('not leased');
  });
});

test('a growing delay is never shorter than the lease', async () => {
  const growing = createQueue<DueRow>({
    ...about,
    backoff: { kind: 'doubling', firstMs: 1_000, longestMs: 600_000 },
  });
  await addNote(ago(1));
  const rests: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    const [row] = await growing.claimDue(database, {
      ...{ environment: 'sandbox', now, leaseMs: 5_000, limit: 1, except: [] },
    });
    rests.push(Number(row?.due_at) - now.getTime());
    await database.query('UPDATE notes SET due_at = $1', [ago(1)]);
  }

  expect(rests.map((ms) => ms / 1_000)).toEqual([5, 5, 5, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
});
