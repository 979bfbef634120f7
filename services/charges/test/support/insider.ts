import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { eventually } from '@plataforma/testing';
import { flipColumns, openAt } from '@plataforma/testing/world';
import type { World } from './world.ts';

/** The columns with which the scheduler plans its work, and the seal itself. They order no money. */
const PLANNED = ['id', 'next_check_at', 'lease_token', 'lease_until', 'seal'];
const UNSEALED: Record<string, string[]> = {
  // `simulated_at` is a claim of the sandbox, `cancelled_at` is only shown, and `card_token_hash` only
  // recognises a repeated card order.
  charges: [...PLANNED, 'checks', 'simulated_at', 'is_unanswered', 'cancelled_at', 'card_token_hash'],
  refunds: [...PLANNED, 'attempts', 'attempts_before'],
  unexpected_payments: [...PLANNED, 'attempts', 'attempts_before', 'created_at'],
  disputes: [
    'id',
    'seal',
    'forward_at',
    'attempts',
    'forward_token',
    'forward_until',
    'undo_at',
    'undo_attempts',
  ],
  // The look of the page, and counters.
  payment_links: [...PLANNED, 'checks', 'taken', 'paid', 'color', 'logo'],
  // The state of a visit follows its charge, whose seal covers the visit's id.
  checkouts: [
    ...['id', 'seal', 'use', 'card_form_until', 'held_since', 'charge_id', 'is_living', 'declines', 'due_at'],
    ...['looks', 'ends_at', 'sequence'],
  ],
};

const ATTEMPTS: Record<string, string> = { charges: 'checks' };

/** Further values of columns. */
const VALUES = {
  text: [
    ...["'PIX'", "'CARD'", "'LATE'", "'DUPLICATE'", "'WRONG_AMOUNT'", "'UNKNOWN_CHARGE'"],
    ...["'PENDING'", "'PAID'", "'EXPIRED'", "'CANCELLED'", "'REFUNDED'", "'DISPUTED'", "'DECLINED'"],
    ...["'REQUESTED'", "'DEBITED'", "'ACCEPTED'", "'DONE'", "'REFUSED'"],
    ...["'RETURNING'", "'RETURNED'", "'RETURN_REFUSED'"],
    ...["'OPEN'", "'UNDER_REVIEW'", "'RESOLVED_MERCHANT'", "'RESOLVED_CUSTOMER'"],
  ],
  txid: ['md5(txid)'],
  charge_id: ['(SELECT id FROM charges WHERE id <> charge_id ORDER BY id LIMIT 1)'],
  link_id: ['(SELECT id FROM payment_links WHERE id <> link_id ORDER BY id LIMIT 1)'],
  slug: ['left(md5(slug), 16)'],
  bigint: ['100'],
  integer: ['1'],
  methods: ["ARRAY['PIX']", "ARRAY['CARD']"],
  evidence_documents: ["ARRAY['x']"],
};

/** An intruder with the stolen database login of the service. */
export interface Insider {
  query: Database['query'];
  /** Changes each column of the row in turn and back, except the columns of UNSEALED. */
  flips(table: string, id: string): AsyncGenerator<string>;
  /** Reads the columns that the row's seal covers. */
  contents(table: string, id: string): Promise<Record<string, unknown>>;
  /** Makes a row due, and waits until the scheduler has claimed the row. */
  letSchedulerTry(table: string, id: string): Promise<void>;
  /** Copies a row under a new id with these changes. */
  forge(table: string, id: string, changes: Record<string, unknown>): Promise<void>;
}

export function insiderOf(world: Pick<World, 'env' | 'database'>): Insider {
  let database: Database;
  beforeAll(() => {
    database = openAt(world.env.DATABASE_URL ?? '');
  });
  afterAll(() => database?.close());
  const query: Database['query'] = (text, values) => database.query(text, values);
  return {
    query,
    flips: (table, id) =>
      flipColumns(database, table, {
        id,
        without: UNSEALED[table] ?? [],
        values: VALUES,
        ...{ inTurn: ['status'], owner: world.database },
      }),
    async contents(table, id) {
      const [row = {}] = await database.queryUnprepared(`SELECT * FROM ${table} WHERE id = $1`, [id]);
      return Object.fromEntries(Object.entries(row).filter(([name]) => !UNSEALED[table]?.includes(name)));
    },
    async letSchedulerTry(table, id) {
      const attempts = ATTEMPTS[table] ?? 'attempts';
      const free = `
        UPDATE ${table} SET next_check_at = now() - interval '1 s', lease_token = NULL, lease_until = NULL
        WHERE id = $1 RETURNING ${attempts} AS attempts`;
      const [before] = await database.query<{ attempts: number }>(free, [id]);
      await eventually(async () => {
        const read = `SELECT ${attempts} AS attempts FROM ${table} WHERE id = $1`;
        const [now] = await database.query<{ attempts: number }>(read, [id]);
        expect(now?.attempts).toBeGreaterThan(before?.attempts ?? 0);
      });
    },
    async forge(table, id, changes) {
      const copy = `
        INSERT INTO ${table} SELECT (jsonb_populate_record(row, $2::jsonb)).*
        FROM ${table} row WHERE id = $1`;
      await database.query(copy, [id, JSON.stringify(changes)]);
    },
  };
}
