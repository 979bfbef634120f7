import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { flipColumns, openAt } from '@plataforma/testing/world';
import type { World } from './world.ts';

/**
 * The columns without a seal, besides `seal` and the key. They record uses, announcements and ends. Another
 * test shows that an ended session stays ended.
 */
const UNSEALED: Record<string, string[]> = {
  sessions: ['last_used_at', 'address', 'user_agent', 'ended_at'],
  api_keys: ['last_used_at', 'expiring_announced_at'],
};

const KEYS: Record<string, string> = { operator_factors: 'operator_id', operator_challenges: 'challenge' };

const VALUES = {
  ARRAY: [`ARRAY['withdrawals:write']`, `ARRAY['203.0.113.7']`],
  role: ["'ADMIN'", "'SUPPORT'"],
  status: ["'APPROVED'", "'SUSPENDED'", "'PENDING'"],
  checkout_color: ["'#000000'"],
  withdrawal_fee_mode: ["'BALANCE'", "'AMOUNT'"],
  settlement_calendar: ["'banking'", "'calendar'"],
  jsonb: [`'{"dailyWithdrawalLimit": 999999999}'`],
  organization_id: ['(SELECT id FROM organizations o WHERE o.id <> organization_id LIMIT 1)'],
  user_id: ['(SELECT id FROM users u WHERE u.id <> user_id LIMIT 1)'],
  operator_id: ['(SELECT id FROM operators o WHERE o.id <> operator_id LIMIT 1)'],
  session_id: ['NULL', '(SELECT id FROM sessions WHERE operator_id IS NOT NULL LIMIT 1)'],
  purpose: ["'add'", "'prove'"],
  replaced_by: ['id'],
};

/** An intruder with the stolen database login of the gateway. */
export interface Insider {
  query: Database['query'];
  transaction: Database['transaction'];
  /** Lists a table's columns that the seal must cover. */
  sealed(table: string): Promise<string[]>;
  /** Changes these columns of a row one after the other, and restores each. */
  flips(table: string, id: string, columns: readonly string[]): AsyncGenerator<string>;
  /** Copies a row with these changes. */
  forge(table: string, id: string, changes: object): Promise<void>;
}

export function insiderOf(world: Pick<World, 'env'>): Insider {
  let database: Database;
  beforeAll(() => {
    database = openAt(world.env.DATABASE_URL ?? '');
  });
  afterAll(() => database?.close());

  const keyOf = (table: string) => KEYS[table] ?? 'id';
  async function columnsOf(table: string): Promise<string[]> {
    const statement = 'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1';
    return (await database.query<{ name: string }>(statement, [table])).map(({ name }) => name);
  }
  return {
    query: (text, values) => database.query(text, values),
    transaction: (work) => database.transaction(work),
    async sealed(table) {
      const others = ['seal', keyOf(table), ...(UNSEALED[table] ?? [])];
      return (await columnsOf(table)).filter((name) => !others.includes(name));
    },
    async *flips(table, id, columns) {
      const without = (await columnsOf(table)).filter((name) => !columns.includes(name));
      yield* flipColumns(database, table, { id, key: keyOf(table), without, values: VALUES });
    },
    async forge(table, id, changes) {
      const copy = `
        INSERT INTO ${table} SELECT (jsonb_populate_record(row, $2::jsonb)).* FROM ${table} row
        WHERE ${keyOf(table)} = $1`;
      await database.query(copy, [id, JSON.stringify(changes)]);
    },
  };
}
