import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { migrate } from '@plataforma/data';
import { firstIdOf, newId } from '@plataforma/kernel';
import { createTestDatabase, monthOf, startOfMonth, withDatabase } from '@plataforma/testing';
import { deadLetterSignatures, deadLettersTable, messagesByMonth, messagingTables } from '../src/index.ts';

const before = [messagingTables, deadLettersTable, deadLetterSignatures];
const UPGRADE = new URL('../../../docs/operate/upgrade.md', import.meta.url);

test.each([
  ['inbox', 1],
  ['outbox', 4],
])(
  'what was begun of %s is taken back as the document says, and goes through later',
  async (table, steps) => {
    const [, undo = ''] =
      /## Outboxes and inboxes by month.*?```sql\n(.*?)```/s.exec(await readFile(UPGRADE, 'utf8')) ?? [];
    const home = await createTestDatabase();
    const run = (count?: number) =>
      migrate(home.url, [...before, ...messagesByMonth.slice(0, count)], home.env.DATABASE_URL);
    const later = firstIdOf(startOfMonth(3));
    const write = (id: string) =>
      table === 'inbox'
        ? `INSERT INTO inbox (event_id) VALUES ('${id}')`
        : `INSERT INTO outbox (event_id, type, body) VALUES ('${id}', 'charge.paid', '{}')`;

    await withDatabase(home.url, async (client) => {
      await run(steps);
      await client.query(write(newId()));
      await expect(client.query(write(later))).rejects.toThrow('violates check constraint');

      await client.query(undo);
      await client.query(write(later));
      const deleted = await client.query(`DELETE FROM ${table}`);
      const options = await client.query(
        "SELECT FROM pg_class WHERE array_to_string(reloptions, ' ') LIKE '%enabled%'",
      );
      await run();

      expect([deleted.rowCount, options.rowCount]).toEqual([2, 0]);
      const { rows } = await client.query<{ place: string }>(
        `${write(firstIdOf(startOfMonth(2)))} RETURNING tableoid::regclass::text AS place`,
      );
      expect(rows).toEqual([{ place: monthOf(table, startOfMonth(2)) }]);
    });
  },
);
