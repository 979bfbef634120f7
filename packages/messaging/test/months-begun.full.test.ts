import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { migrate } from '@plataforma/data';
import { firstIdOf, newId } from '@plataforma/kernel';
import { createTestDatabase, monthOf, startOfMonth, withDatabase } from '@plataforma/testing';
import { deadLetterSignatures, deadLettersTable, messagesByMonth, messagingTables } from '../src/index.ts';

const before = [messagingTables, deadLettersTable, deadLetterSignatures];
const UPGRADE = new URL('../../../docs/operate/upgrade.md', import.meta.url);

test('a migration that was begun is taken back as the document says, and goes through later', async () => {
  const [, undo = ''] =
    /## Outboxes and inboxes by month.*?```sql\n(.*?)```/s.exec(await readFile(UPGRADE, 'utf8')) ?? [];
  const home = await createTestDatabase();
  const run = (count?: number) =>
    migrate(home.url, [...before, ...messagesByMonth.slice(0, count)], home.env.DATABASE_URL);
  const later = firstIdOf(startOfMonth(3));
  const announce = `INSERT INTO outbox (event_id, type, body) VALUES ('${later}', 'charge.paid', '{}')`;

  await withDatabase(home.url, async (client) => {
    await run(1);
    await client.query(`INSERT INTO inbox (event_id) VALUES ('${newId()}')`);
    await expect(client.query(announce)).rejects.toThrow('violates check constraint');

    await client.query(undo);
    await client.query(announce);
    const deleted = await client.query('DELETE FROM inbox');
    const options = await client.query(
      "SELECT FROM pg_class WHERE array_to_string(reloptions, ' ') LIKE '%enabled%'",
    );
    await client.query('DELETE FROM outbox');
    await run();

    expect([deleted.rowCount, options.rowCount]).toEqual([1, 0]);
    const { rows } = await client.query<{ place: string }>(
      `INSERT INTO inbox (event_id) VALUES ('${firstIdOf(startOfMonth(2))}') RETURNING tableoid::regclass::text AS place`,
    );
    expect(rows).toEqual([{ place: monthOf('inbox', startOfMonth(2)) }]);
  });
});
