import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'amqplib';
import pg from 'pg';
import { type Platform, withDatabase } from '../../src/index.ts';

export interface Written {
  source: string;
  text: string;
}

export async function readLogs(dataDir: string): Promise<Written[]> {
  const names = await readdir(join(dataDir, 'services'), { recursive: true });
  const files = names.filter((name) => name.endsWith('.log'));
  const texts = await Promise.all(files.map((name) => readFile(join(dataDir, 'services', name), 'utf8')));
  return texts.flatMap((text, index) =>
    text.split('\n').map((line) => ({ source: `log ${files[index]}`, text: line })),
  );
}

export async function readDatabases({ databaseUrls }: Platform): Promise<Written[]> {
  const all = await Promise.all(
    Object.entries(databaseUrls).map(([service, url]) =>
      withDatabase(url, async (client) => {
        const written: Written[] = [];
        for (const [table, columns] of await tablesOf(client)) {
          written.push(...(await valuesOf(client, { service, table, columns })));
        }
        return written;
      }),
    ),
  );
  return all.flat();
}

interface Column {
  table: string;
  name: string;
  type: string;
}

async function tablesOf(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column>(`
    SELECT c.oid::regclass::text AS table, a.attname AS name, a.atttypid::regtype::text AS type
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog',
    'information_schema', 'pg_toast')`);
  return Map.groupBy(rows, ({ table }) => table);
}

async function valuesOf(
  client: pg.Client,
  { service, table, columns }: { service: string; table: string; columns: readonly Column[] },
): Promise<Written[]> {
  const texts = columns.map(({ name, type }) => {
    const column = pg.escapeIdentifier(name);
    return type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
  });
  const sql = `SELECT ${texts.join(', ')} FROM ${table}`;
  const { rows } = await client.query<(string | null)[]>({ text: sql, rowMode: 'array' });
  return rows.flatMap((row) =>
    row.flatMap((text, index) =>
      text ? [{ source: `${service}.${table}.${columns[index]?.name}`, text }] : [],
    ),
  );
}

export interface Wiretap {
  published: Written[];
  publish(routingKey: string, body: string): void;
  stop(): Promise<void>;
}

/** Records every event that the services publish to the broker. */
export async function tapEvents(brokerUrl: string, exchange: string): Promise<Wiretap> {
  const connection = await connect(brokerUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, exchange, '#');
  const published: Written[] = [];
  await channel.consume(
    queue,
    (message) => {
      if (message)
        published.push({ source: `event ${message.fields.routingKey}`, text: message.content.toString() });
    },
    { noAck: true },
  );
  return {
    published,
    publish: (routingKey, body) => void channel.publish(exchange, routingKey, Buffer.from(body)),
    stop: () => connection.close(),
  };
}
