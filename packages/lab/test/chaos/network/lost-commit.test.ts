import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@plataforma/testing';
import pg from 'pg';
import { type Link, openLink } from '../../../src/chaos/network/link.ts';
import { isCommit, type Message, readMessages } from '../../../src/chaos/network/postgres-messages.ts';

let database: TestDatabase;
let link: Link;
const clients: pg.Client[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  const targetPort = Number(new URL(database.url).port);
  link = await openLink({ name: 'test → database', kind: 'database', targetPort });
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await link.stop();
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The handler ignores the error, because the test resets this connection.
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

function throughTheLink(): Promise<pg.Client> {
  return connected(Object.assign(new URL(database.url), { port: String(link.port) }).href);
}

test('a COMMIT with a lost answer succeeds, its client fails', async () => {
  const [owner, writer, next] = [
    await connected(database.url),
    await throughTheLink(),
    await throughTheLink(),
  ];
  await owner.query('CREATE TABLE notes (text text)');
  const write = async (client: pg.Client, text: string) => {
    await client.query('BEGIN');
    await client.query('INSERT INTO notes VALUES ($1)', [text]);
    await client.query('COMMIT');
  };
  const notes = async () =>
    (await owner.query('SELECT text FROM notes ORDER BY text')).rows.map(({ text }) => text);
  await write(writer, 'a');
  link.behave({ kind: 'loses COMMIT answers', times: 1 });

  await expect(write(writer, 'b')).rejects.toThrow();

  expect(await notes()).toEqual(['a', 'b']);
  await write(next, 'c');
  expect(await notes()).toEqual(['a', 'b', 'c']);
  expect(link.lostCommits()).toBe(1);
});

test('a COMMIT of a failed transaction loses its answer, too', async () => {
  const client = await throughTheLink();
  link.behave({ kind: 'loses COMMIT answers', times: 1 });
  await client.query('BEGIN');
  await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');

  await expect(client.query('COMMIT')).rejects.toThrow('ECONNRESET');
});

test('messages are found for every split of the stream', () => {
  const stream = Buffer.concat([
    untyped('user\0x\0\0'),
    typed('Q', 'SELECT 1\0'),
    typed('Q', 'COMMIT\0'),
    typed('X', ''),
  ]);

  for (const size of [1, 2, 3, 5, 7, 1_000]) {
    const found: Message[] = [];
    const read = readMessages({ startsUntyped: true }, (message) => found.push(message));
    for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size));

    expect(found.map(({ type }) => type)).toEqual(['', 'Q', 'Q', 'X']);
    expect(found.map(isCommit)).toEqual([false, false, true, false]);
  }
});

function typed(type: string, text: string): Buffer {
  return Buffer.concat([Buffer.from(type), untyped(text)]);
}

function untyped(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + text.length);
  return Buffer.concat([length, Buffer.from(text)]);
}
