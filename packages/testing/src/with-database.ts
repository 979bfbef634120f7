import pg from 'pg';

/**
 * Opens a connection, calls `work` and closes the connection. If the server ends the connection, the next
 * query fails; the error event itself is ignored.
 */
export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

export function rowsAt<Row extends pg.QueryResultRow = Record<string, unknown>>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withDatabase(url, async (client) => (await client.query<Row>(sql, values)).rows);
}
