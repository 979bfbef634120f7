import { isNarrowScope, isWideScope, type Scope } from '@plataforma/contracts';
import {
  columnsOf,
  type Page,
  type Queryable,
  readPage,
  type Slice,
  selected,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import { isTrusted, requireTrusted, rowsToSeal, saveSeal } from '@plataforma/tables';
import type { ApiKey } from '../domain/access.ts';
import { OWNER_COLUMNS, type OwnerRow, ownerOf } from './organizations.ts';

export interface StoredKey {
  id: string;
  organizationId: string;
  name: string;
  maskedKey: string;
  environment: Environment;
  scopes: Scope[];
  allowedIps: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  /** The time from which the key is refused. For a rotated key it may be in the future. */
  revokedAt: Date | null;
  replacedBy: string | null;
}

interface StoredScopes {
  scopes: Scope[];
  narrowScopes: Scope[];
  rotates: boolean;
}

type KeyRow = Omit<StoredKey, 'lastUsedAt'> & StoredScopes & { keyHash: string; seal: string | null };
type ListedRow = KeyRow & Pick<StoredKey, 'lastUsedAt'>;

/**
 * The columns are listed instead of `*`, because a column that a newer release adds would change the result
 * of a prepared statement. The times of the last use and of the announcement need no seal.
 */
const SEALED_COLUMNS = columnsOf(`
  id, organization_id, environment, name, key_hash, masked_key, scopes, narrow_scopes,
  rotates_webhook_secrets AS rotates, allowed_ips, created_at, expires_at, revoked_at, replaced_by, seal`);
/** The API keys, for a command that seals existing rows. */
export const apiKeysToSeal = rowsToSeal('api_keys', SEALED_COLUMNS);

const COLUMNS = [...SEALED_COLUMNS, 'last_used_at AS "lastUsedAt"'].map((column) => `k.${column}`);

const INSERT = `
  INSERT INTO api_keys AS k
    (id, organization_id, environment, name, key_hash, masked_key, scopes, narrow_scopes, allowed_ips,
    created_at,
     expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`;

/** Inserts an API key. A trigger may change its scopes to those of the key that it replaces. */
export async function insertApiKey(tx: Transaction, key: StoredKey, keyHash: string): Promise<void> {
  const { id, organizationId, environment, name, maskedKey, scopes, allowedIps, createdAt, expiresAt } = key;
  const parameters = [
    id,
    organizationId,
    environment,
    name,
    keyHash,
    maskedKey,
    scopes.filter(isWideScope),
    scopes.filter(isNarrowScope),
    allowedIps,
    createdAt,
    expiresAt,
  ];
  const [row] = await tx.query<KeyRow>(INSERT, parameters);
  await saveSeal(tx, apiKeysToSeal, row);
}

const END = `
  SELECT EXISTS (SELECT FROM api_keys
    WHERE organization_id = $1 AND environment = 'sandbox'
      AND (expires_at > $2 AND expires_at <= $3 OR revoked_at > $2 AND revoked_at <= $3)) AS "end"`;

/**
 * Returns whether any API key of the organization's sandbox ends between two times of the sandbox's clock.
 */
export async function sandboxKeysEnd(
  db: Queryable,
  organizationId: string,
  [after, until]: readonly [Date, Date],
): Promise<boolean> {
  const [keys] = await db.query<{ end: boolean }>(END, [organizationId, after, until]);
  return keys?.end ?? false;
}

/** Returns one page of all API keys, including ended keys, newest first, and their number. */
export function listApiKeys(db: Queryable, organizationId: string, slice: Slice): Promise<Page<StoredKey>> {
  const own = sql({ k: 'api_keys' }).where({ organization_id: organizationId });
  return readPage(db, { matching: own.select(selected(COLUMNS)), itemOf: storedKeyOf }, slice);
}

const LOCK = `
  SELECT ${COLUMNS} FROM api_keys k WHERE k.id = $1 AND k.organization_id = $2 FOR NO KEY UPDATE`;

/** Locks an API key of an organization. Throws INVALID_STATE if it has no valid seal. */
export async function lockApiKey(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<StoredKey | null> {
  const [row] = await tx.query<ListedRow>(LOCK, [id, organizationId]);
  if (!row) return null;
  requireTrusted(tx, apiKeysToSeal.table, row);
  return storedKeyOf(row);
}

/** SQL: milliseconds by which the clock of key `k` is ahead of real time; `o` is the key's organization. */
const AHEAD_MS = "CASE k.environment WHEN 'sandbox' THEN o.sandbox_ahead_ms ELSE 0 END";

const TAKE_EXPIRING = `
  WITH due AS (
    SELECT k.id FROM api_keys k JOIN organizations o ON o.id = k.organization_id, LATERAL (
      SELECT $1::timestamptz + ${AHEAD_MS} * interval '1 millisecond' AS now) AS own
    WHERE k.expiring_announced_at IS NULL AND k.revoked_at IS NULL AND k.expires_at > $1
      AND k.expires_at > own.now AND k.expires_at <= own.now + interval '7 days'
      AND ($2::uuid IS NULL OR k.organization_id = $2)
    LIMIT $3 FOR NO KEY UPDATE OF k SKIP LOCKED)
  UPDATE api_keys k SET expiring_announced_at = clock_timestamp() FROM due WHERE k.id = due.id
  RETURNING ${COLUMNS}`;

/**
 * Marks the valid keys that expire within seven days by the clock of their environment as announced, and
 * returns them. Skips keys that another transaction has locked, and keys without a valid seal.
 */
export async function takeExpiringKeys(
  tx: Transaction,
  { now, organizationId, limit }: { now: Date; organizationId: string | null; limit: number },
): Promise<(StoredKey & { expiresAt: Date })[]> {
  const values = [now, organizationId, limit];
  const rows = await tx.queryUnprepared<ListedRow & { expiresAt: Date }>(TAKE_EXPIRING, values);
  const trusted = rows.filter((row) => isTrusted(tx, apiKeysToSeal.table, row));
  return trusted.map((row) => ({ ...storedKeyOf(row), expiresAt: row.expiresAt }));
}

const COUNT_WORKING = `
  SELECT count(*) AS working
  FROM api_keys k JOIN organizations o ON o.id = k.organization_id, LATERAL (
    SELECT $2::timestamptz
      + ${AHEAD_MS} * interval '1 millisecond' AS now) AS own
  WHERE k.organization_id = $1 AND (k.revoked_at > own.now OR k.revoked_at IS NULL)
    AND (k.expires_at > own.now OR k.expires_at IS NULL)`;

/**
 * Counts the valid API keys of an organization by the clocks of their environments. Keys in a grace period
 * are counted.
 */
export async function countWorkingKeys(tx: Transaction, organizationId: string, now: Date): Promise<number> {
  const [counted] = await tx.query<{ working: number }>(COUNT_WORKING, [organizationId, now]);
  return counted?.working ?? 0;
}

const REPLACE = `
  UPDATE api_keys k SET revoked_at = $2, replaced_by = $3 WHERE id = $1 RETURNING ${COLUMNS}`;

/** Ends a key that the transaction has locked. */
export async function replaceApiKey(
  tx: Transaction,
  id: string,
  { endsAt, replacedBy }: { endsAt: Date; replacedBy: string },
): Promise<void> {
  const [row] = await tx.query<KeyRow>(REPLACE, [id, endsAt, replacedBy]);
  await saveSeal(tx, apiKeysToSeal, row);
}

const REVOKE = `
  UPDATE api_keys k SET revoked_at = least(revoked_at, $2) WHERE id = $1 RETURNING ${COLUMNS}`;

/**
 * Revokes an API key at once, even during its grace period. Returns false if the organization has no such
 * key. Adds no seal to a key that had no valid one.
 */
export async function revokeApiKey(
  tx: Transaction,
  { organizationId, id }: Pick<StoredKey, 'organizationId' | 'id'>,
  now: Date,
): Promise<boolean> {
  const [before] = await tx.query<KeyRow>(LOCK, [id, organizationId]);
  if (!before) return false;
  const [after] = await tx.query<KeyRow>(REVOKE, [id, now]);
  if (isTrusted(tx, apiKeysToSeal.table, before)) await saveSeal(tx, apiKeysToSeal, after);
  return true;
}

const FIND_BY_HASH = `
  SELECT ${COLUMNS}, ${OWNER_COLUMNS}
  FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.key_hash = $1`;

/** Finds an API key. Returns null if the key or its organization has no valid seal. */
export async function findApiKeyByHash(db: Queryable, keyHash: string): Promise<ApiKey | null> {
  const [row] = await db.query<KeyRow & OwnerRow>(FIND_BY_HASH, [keyHash]);
  const owner = row && isTrusted(db, apiKeysToSeal.table, row) && ownerOf(db, row);
  if (!owner) return null;
  const { sandboxAheadMs, ...merchant } = owner;
  const { id, environment, allowedIps, expiresAt, revokedAt } = row;
  const aheadMs = environment === 'sandbox' ? sandboxAheadMs : 0;
  return { id, ...merchant, environment, aheadMs, scopes: scopesOf(row), allowedIps, expiresAt, revokedAt };
}

/**
 * Locks rows in the order of their ids, so that replicas that run this statement at the same time cannot
 * deadlock.
 */
const SAVE_USES = `
  WITH used AS (
    SELECT k.id, news.at FROM api_keys k JOIN unnest($1::uuid[], $2::timestamptz[]) AS news (id, at)
    ON news.id = k.id
    WHERE k.last_used_at IS NULL OR k.last_used_at < news.at
    ORDER BY k.id FOR NO KEY UPDATE OF k)
  UPDATE api_keys k SET last_used_at = used.at FROM used WHERE k.id = used.id`;

/** Records when keys were last used. Never replaces a later time. */
export async function saveKeyUses(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(SAVE_USES, [[...uses.keys()], [...uses.values()]]);
}

function scopesOf({ scopes, narrowScopes, rotates }: StoredScopes): Scope[] {
  const granted = new Set([...scopes, ...narrowScopes]);
  if (rotates && (granted.has('charges:write') || granted.has('withdrawals:write')))
    granted.add('webhooks:write');
  return [...granted];
}

function storedKeyOf(row: ListedRow): StoredKey {
  const { narrowScopes: _narrow, rotates: _rotates, keyHash: _hash, seal: _seal, ...key } = row;
  return { ...key, scopes: scopesOf(row) };
}
