import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createTestDatabase, rowsAt, type TestDatabase } from '../src/index.ts';

describe('a test database', () => {
  test('starts with its template, which parallel callers create once', async () => {
    let fillings = 0;
    const template = {
      content: randomUUID(),
      async fill({ MIGRATION_DATABASE_URL }: TestDatabase['env']) {
        fillings += 1;
        await rowsAt(MIGRATION_DATABASE_URL, 'CREATE TABLE notes AS SELECT 1 AS n');
        await rowsAt(MIGRATION_DATABASE_URL, 'GRANT SELECT ON notes TO application');
      },
    };

    const homes = await Promise.all([1, 2, 3, 4].map(() => createTestDatabase(template)));

    expect(fillings).toBe(1);
    expect(new Set(homes.map(({ url }) => url)).size).toBe(4);
    for (const { env } of homes)
      expect(await rowsAt(env.DATABASE_URL, 'SELECT n FROM notes')).toEqual([{ n: 1 }]);
    const written = rowsAt(homes[0]?.env.DATABASE_URL ?? '', 'DELETE FROM notes');
    await expect(written).rejects.toThrow('permission denied');
  });

  test('leaves no broken template when its creation fails', async () => {
    const content = randomUUID();
    const fail = () => Promise.reject(new Error('no disk'));

    await expect(createTestDatabase({ content, fill: fail })).rejects.toThrow('no disk');

    await createTestDatabase({ content, fill: () => Promise.resolve() });
  });
});
