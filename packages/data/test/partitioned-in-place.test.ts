import { describe, expect, test } from '@jest/globals';
import { firstIdOf, newId } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { type InPlace, keepPartitions, partitionedInPlace } from '../src/index.ts';
import { adopted, facts, monthOf, stepsOf, WRITE } from './support/adopted.ts';
import { inDays } from './support/partitioned.ts';
import { attempt } from './support/tables.ts';

const since: InPlace = { ...facts, from: `'${firstIdOf(inDays(-29))}'::uuid` };

const home = adopted();
const { write, count, partitions } = home;
const partition = (table: InPlace) => home.run(stepsOf(table));
const indexesOf = (table: string) =>
  home.owner().query<{ name: string; file: number }>(
    `SELECT relname AS name, relfilenode::integer AS file FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE indrelid = '${table}'::regclass ORDER BY 1`,
  );

describe('a table that has rows', () => {
  test('becomes the first partition, with its files, numbers, indexes and grants', async () => {
    await write();
    await write(firstIdOf(inDays(-400)));
    const files = (await indexesOf('facts')).map(({ file }) => file);

    await partition(facts);
    const [first, ...ahead] = await partitions();
    const [written] = await write();

    expect(first?.bounds).toMatch(/^FOR VALUES FROM \(MINVALUE\) TO /);
    expect(ahead).toHaveLength(3 - (first?.name.endsWith(monthOf(inDays(0))) ? 0 : 1));
    expect((await indexesOf(first?.name ?? '')).map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    expect((await indexesOf('facts')).map(({ name }) => name)).toEqual([
      'facts_id_key',
      'facts_note',
      'facts_open',
    ]);
    expect(written?.position).toBeGreaterThan(2);
    expect(await count()).toBe(3);
    expect(
      await attempt(home.database(), "INSERT INTO facts (id, state) VALUES (gen_random_uuid(), 'lost')"),
    ).toMatch(/^23514 /);
    expect(await attempt(home.database(), `SELECT FROM ${first?.name}`)).toMatch(/^42501 /);
    expect(
      await home
        .owner()
        .query(
          `SELECT reloptions FROM pg_class WHERE relname = '${first?.name}' OR relname = '${ahead[0]?.name}'`,
        ),
    ).toEqual([{ reloptions: ['fillfactor=80'] }, { reloptions: ['fillfactor=80'] }]);
    expect(await partition(facts)).toEqual([]);
  });

  test('lets go of what is before its first value, and takes no more of it, whatever clock a machine has', async () => {
    const [late, kept] = [firstIdOf(inDays(-30)), firstIdOf(inDays(-28))];
    await write(late);
    await write(kept);

    await partition(since);

    expect(await home.owner().query('SELECT id FROM facts')).toEqual([{ id: kept }]);
    expect(await keepPartitions(home.database(), { ...since, keepDays: 30 }, inDays(-60))).toEqual([]);
    expect(await attempt(home.database(), `INSERT INTO facts (id) VALUES ('${late}')`)).toMatch(
      /^23514 no partition/,
    );
  });

  test('keeps the rows that a release before would delete now, from the first step on', async () => {
    const kept = firstIdOf(inDays(-28));
    await write(kept);
    const prune = () => home.database().query('DELETE FROM facts WHERE id = $1 RETURNING id', [kept]);
    const [bounds, ...rest] = stepsOf(since);

    await home.run(bounds ? [bounds] : []);
    const before = await prune();
    await home.run([...(bounds ? [bounds] : []), ...rest]);

    expect([before, await prune()]).toEqual([[], []]);
    expect(await count()).toBe(1);
  });

  test('is left as it is where an id is of a time that is months ahead, or an older one is still needed', async () => {
    const [ahead, old] = [firstIdOf(inDays(70)), firstIdOf(inDays(-31))];
    await write(ahead);

    await expect(partition(since)).rejects.toThrow(`facts has ${ahead}`);
    await home.owner().query('DELETE FROM facts');
    await home.owner().query(`INSERT INTO wishes VALUES ('${old}')`);
    await expect(partition(since)).rejects.toThrow(`${old} is still needed`);

    expect(await write(firstIdOf(inDays(80)))).toHaveLength(1);
    await home.owner().query('DELETE FROM facts');
    await home.owner().query('DELETE FROM wishes');
    await partition(since);
    expect(await partitions()).not.toEqual([]);
  });

  test(`loses no row of its writers and keeps none of them waiting, ${rounds(2)} times`, async () => {
    for (let round = 0; round < rounds(2); round += 1) {
      let isOver = false;
      const had = (await count()) ?? 0;
      const writers = Array.from({ length: 6 }, async () => {
        let written = 0;
        for (; !isOver; written += 1) {
          const id = newId();
          await home.database().transaction(async (tx) => {
            await tx.query("SET LOCAL lock_timeout = '2s'");
            await tx.query(WRITE, [id, 'a note']);
            await tx.query("UPDATE facts SET state = 'done' WHERE id = $1", [id]);
          });
          expect(await write(id)).toEqual([]);
        }
        return written;
      });

      await partition(facts);
      isOver = true;
      const written = (await Promise.all(writers)).reduce((sum, one) => sum + one, 0);

      expect(written).toBeGreaterThan(0);
      expect(await count()).toBe(had + written);
      expect(await count('(SELECT DISTINCT position FROM facts) AS positions')).toBe(had + written);
    }
  });

  test('is partitioned in the end when a process dies between two steps, by bounds of the last try', async () => {
    await write();
    const [bounds] = stepsOf({ ...since, from: `'${firstIdOf(inDays(-90))}'::uuid` });
    // So far as the CHECK; the one statement before looks only.
    for (const statement of bounds && 'online' in bounds ? bounds.online.slice(0, 4) : [])
      await home.owner().query(statement);
    const unforgotten = [inDays(-60), inDays(-20)].map(firstIdOf);
    for (const id of unforgotten) await write(id);

    await home.run(stepsOf(since).slice(0, 1));
    await partition(since);

    expect(await count()).toBe(2);
    const [first] = await partitions();
    expect(first?.bounds).toContain(`FROM (${since.from?.slice(0, 38)})`);
  });
});

test('of two tables each is locked alone, for 50 ms at most, and what stops the second is found before the first', async () => {
  const others: InPlace = { ...{ table: 'others', by: facts.by, period: 'month' }, without: ['others_pkey'] };
  const steps = partitionedInPlace('all_by_month', [facts, others]);
  const ahead = firstIdOf(inDays(70));
  await home.owner().queryUnprepared('CREATE TABLE others (LIKE facts INCLUDING ALL)', []);

  await home.owner().query(`INSERT INTO others (id) VALUES ('${ahead}')`);
  await expect(home.run(steps)).rejects.toThrow(`others has ${ahead}`);
  expect(await write(firstIdOf(inDays(80)))).toHaveLength(1);
  await home.owner().queryUnprepared('DELETE FROM others; DELETE FROM facts', []);

  let ran: Promise<string[]> | undefined;
  await home.owner().transaction(async (reader) => {
    await reader.query('SELECT FROM others');
    ran = home.run(steps);
    await eventually(async () => expect((await partitions()).length).toBeGreaterThan(1));
    await write();
  });

  expect(await ran).toEqual(steps.map(({ name }) => name));
  expect(JSON.stringify(steps).match(/lock_timeout\W+\w+ms/g)).toHaveLength(6);
});
