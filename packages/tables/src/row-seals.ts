import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Queryable, RowSeals, SealableRow, SealedTable, SealingKeys } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { metrics } from './metrics.ts';

/**
 * `require`: no work begins on a row without a valid seal. `accept`: work begins, and the row is counted. Use
 * `accept` only while replicas of a release without seals write rows.
 */
export const rowSealModes = ['accept', 'require'] as const;
type RowSealMode = (typeof rowSealModes)[number];

interface RowSealsOptions {
  /** The first key seals, and all keys verify. */
  keys: SealingKeys;
  mode: RowSealMode;
  log: Pick<Log, 'error'>;
}

/** The label in the derivation of sealing keys, so that a key derived for another use makes no valid seal. */
const SEALING_ROWS = 'plataforma: rows';
const SEPARATOR = ':';

/** The tables with seals, of all services. */
const TABLES = [
  ...['outbox', 'merchants', 'proposals', 'idempotency_keys'],
  ...['withdrawals', 'destinations', 'wallet_proofs'],
  ...['configurations', 'old_secrets', 'events', 'deliveries'],
  ...['journal_entries', 'trusted_entries', 'receivables'],
  ...['organizations', 'users', 'sessions', 'api_keys', 'operators', 'operator_factors'],
  ...['operator_recovery_codes', 'operator_passkeys', 'operator_challenges', 'audit_epoch_proposals'],
  ...['charges', 'refunds', 'unexpected_payments', 'disputes', 'payment_links', 'checkouts'],
];
const broken = metrics.recorder(
  'plataforma_row_seals_broken_total',
  TABLES.flatMap((table) => ['missing', 'wrong', 'accepted'].map((state) => ({ table, state }))),
);

/** Creates seals of rows: `keyId:` and the HMAC-SHA256 of `sealedText` in base64url. */
export function createRowSeals({ keys, mode, log }: RowSealsOptions): RowSeals {
  const keyOf = new Map(keys.map(({ id, key }) => [id, derived(key)]));
  const [{ id: firstId, key: firstKey }] = keys;
  const sealing = keyOf.get(firstId) ?? derived(firstKey);

  function stateOf(table: SealedTable, row: SealableRow, seal: string | null): 'good' | 'missing' | 'wrong' {
    if (seal === null) return 'missing';
    const end = seal.indexOf(SEPARATOR);
    const key = keyOf.get(seal.slice(0, end));
    if (!key) return 'wrong';
    const [given, expected] = [Buffer.from(seal.slice(end + 1), 'base64url'), macOf(key, table, row)];
    return given.length === expected.length && timingSafeEqual(given, expected) ? 'good' : 'wrong';
  }

  return {
    sealOf: (table, row) => firstId + SEPARATOR + macOf(sealing, table, row).toString('base64url'),
    isTrusted(table, row, seal) {
      const state = stateOf(table, row, seal);
      if (state === 'good') return true;
      broken({ table: table.name, state: mode === 'accept' ? 'accepted' : state }, 1);
      if (mode === 'accept') return true;
      log.error(
        { table: table.name, id: row.id, seal: state },
        'a row has no valid seal and is not worked on',
      );
      return false;
    },
  };
}

function derived(key: Buffer): KeyObject {
  return createSecretKey(createHmac('sha256', key).update(SEALING_ROWS).digest());
}

function macOf(key: KeyObject, table: SealedTable, row: SealableRow): Buffer {
  return createHmac('sha256', key).update(sealedText(table, row)).digest();
}

/**
 * Returns the text that a seal covers: a JSON array of the table's name, the id, and the name and value of
 * each sealed field. Fields that are null are left out. A field that a later release adds, and that is null
 * in older rows, therefore breaks no seal. Times have milliseconds, as in JavaScript; the keys of objects are
 * in alphabetical order.
 */
export function sealedText({ name, fields }: SealedTable, row: SealableRow): string {
  const values: Readonly<Record<string, unknown>> = row;
  const text: unknown[] = [name, row.id];
  for (const field of fields) {
    const value = values[field];
    if (value !== null && value !== undefined) text.push(field, inOrder(value));
  }
  return JSON.stringify(text);
}

function inOrder(value: unknown): unknown {
  // PostgreSQL stores no unpaired surrogates: pg replaces them.
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(inOrder);
  const entries = Object.entries(value).map(([name, each]) => [name, inOrder(each)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Returns the seal of a row. Returns null on a connection without keys, such as that of a tool. */
export function sealOf(db: Queryable, table: SealedTable, row: SealableRow): string | null {
  return db.seals?.sealOf(table, row) ?? null;
}

/** Returns false for a row that was changed without the service's key, on which no work may begin. */
export function isTrusted(
  db: Queryable,
  table: SealedTable,
  row: SealableRow & { seal: string | null },
): boolean {
  return db.seals?.isTrusted(table, row, row.seal) ?? true;
}

/** Throws INVALID_STATE for a row without a valid seal. */
export function requireTrusted(
  db: Queryable,
  table: SealedTable,
  row: SealableRow & { seal: string | null },
): void {
  if (isTrusted(db, table, row)) return;
  const message = 'this record does not have the seal of the platform; an operator must examine it';
  throw new Refusal('conflict', 'INVALID_STATE', message);
}
