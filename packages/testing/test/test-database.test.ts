import { describe, expect, test } from '@jest/globals';
import amqp from 'amqplib';
import pg from 'pg';
import { claimVhost, createTestDatabase } from '../src/index.ts';

describe('a test database', () => {
  test('is empty and of its own', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const client = new pg.Client({ connectionString: one.url });
    await client.connect();

    const tables = await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`);

    expect(tables.rowCount).toBe(0);
    expect(one.url).not.toBe(other.url);
    await client.end();
    await Promise.all([one.drop(), other.drop()]);
  });

  test('can be dropped while connections to it are open', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    const lost = new Promise((resolve) => client.on('error', resolve));
    await client.connect();

    await database.drop();

    expect(await lost).toBeInstanceOf(Error);
    await expect(new pg.Client({ connectionString: database.url }).connect()).rejects.toThrow(
      'does not exist',
    );
  });
});

describe('a claimed virtual host', () => {
  test('accepts connections and is claimed once', async () => {
    const [one, other] = await Promise.all([claimVhost(), claimVhost()]);

    const connection = await amqp.connect(one);

    expect(one).not.toBe(other);
    await connection.close();
  });
});
