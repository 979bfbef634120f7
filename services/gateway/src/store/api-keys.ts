import { isNarrowScope, isWideScope, type Scope } from '@plataforma/contracts';
import {
  type Page,
  type Queryable,
  readPage,
  type Slice,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import type { ApiKey } from '../domain/access.ts';

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

const INSERT = `
  INSERT INTO api_keys
    (id, organization_id, environment, name, key_hash, masked_key, scopes, narrow_scopes, allowed_ips,
    created_at,
     expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

export async function insertApiKey(db: Queryable, key: StoredKey, keyHash: string): Promise<void> {
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
  await db.query(INSERT, parameters);
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

interface StoredScopes {
  scopes: Scope[];
  narrowScopes: Scope[];
  rotates: boolean;
}

type KeyRow = StoredKey & StoredScopes;

/**
 * The columns are listed instead of `*`, because a column that a newer release adds would change the result
 * of a prepared statement.
 */
const COLUMNS = `
  k.id, k.organization_id AS "organizationId", k.environment, k.name, k.masked_key AS "maskedKey", k.scopes,
  k.narrow_scopes AS "narrowScopes", k.rotates_webhook_secrets AS rotates, k.allowed_ips AS "allowedIps",
  k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  k.last_used_at AS "lastUsedAt", k.replaced_by AS "replacedBy"`;

/** Returns one page of all API keys, including ended keys, newest first, and their number. */
export function listApiKeys(db: Queryable, organizationId: string, slice: Slice): Promise<Page<StoredKey>> {
  const own = sql({ k: 'api_keys' }).where({ organization_id: organizationId });
  return readPage(db, { matching: own.select(sql.raw(COLUMNS)), itemOf: storedKeyOf }, slice);
}

const LOCK = `
  SELECT ${COLUMNS} FROM api_keys k WHERE k.id = $1 AND k.organization_id = $2 FOR NO KEY UPDATE`;

export async function lockApiKey(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<StoredKey | null> {
  const [row] = await tx.query<KeyRow>(LOCK, [id, organizationId]);
  return row ? storedKeyOf(row) : null;
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
 * Returns the valid keys that expire within seven days by the clock of their environment, and marks them as
 * announced. A key that another transaction has locked is left for the next call.
 */
export async function takeExpiringKeys(
  tx: Transaction,
  { now, organizationId, limit }: { now: Date; organizationId: string | null; limit: number },
): Promise<(StoredKey & { expiresAt: Date })[]> {
  const values = [now, organizationId, limit];
  const rows = await tx.queryUnprepared<KeyRow & { expiresAt: Date }>(TAKE_EXPIRING, values);
  return rows.map((row) => ({ ...storedKeyOf(row), expiresAt: row.expiresAt }));
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

const REPLACE = 'UPDATE api_keys SET revoked_at = $2, replaced_by = $3 WHERE id = $1';

export async function replaceApiKey(
  tx: Transaction,
  id: string,
  { endsAt, replacedBy }: { endsAt: Date; replacedBy: string },
): Promise<void> {
  await tx.query(REPLACE, [id, endsAt, replacedBy]);
}

const REVOKE = `
  UPDATE api_keys SET revoked_at = least(revoked_at, $3) WHERE id = $1 AND organization_id = $2 RETURNING id`;

/**
 * Revokes an API key at once, even during its grace period. Returns false if the organization has no such
 * key.
 */
export async function revokeApiKey(
  db: Queryable,
  { organizationId, id }: Pick<StoredKey, 'organizationId' | 'id'>,
  now: Date,
): Promise<boolean> {
  return (await db.query(REVOKE, [id, organizationId, now])).length === 1;
}

const FIND_BY_HASH = `
  SELECT ${COLUMNS}, o.status AS "merchantStatus", o.time_zone AS "timeZone", ${AHEAD_MS} AS "aheadMs"
  FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.key_hash = $1`;

type FoundKeyRow = KeyRow & Pick<ApiKey, 'merchantStatus' | 'timeZone' | 'aheadMs'>;

export async function findApiKeyByHash(db: Queryable, keyHash: string): Promise<ApiKey | null> {
  const [row] = await db.query<FoundKeyRow>(FIND_BY_HASH, [keyHash]);
  if (!row) return null;
  const { id, organizationId: merchantId, merchantStatus, timeZone, environment } = row;
  const { allowedIps, expiresAt, revokedAt, aheadMs } = row;
  const owner = { merchantId, merchantStatus, timeZone, environment, aheadMs };
  return { id, ...owner, scopes: scopesOf(row), allowedIps, expiresAt, revokedAt };
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

/** Records when keys were last used. If a later time is stored already, it stays. */
export async function saveKeyUses(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(SAVE_USES, [[...uses.keys()], [...uses.values()]]);
}

function scopesOf({ scopes, narrowScopes, rotates }: StoredScopes): Scope[] {
  const granted = new Set([...scopes, ...narrowScopes]);
  if (rotates && (granted.has('charges:write') || granted.has('withdrawals:write')))
    granted.add('webhooks:write');
  return [...granted];
}

function storedKeyOf({ scopes, narrowScopes, rotates, ...key }: KeyRow): StoredKey {
  return { ...key, scopes: scopesOf({ scopes, narrowScopes, rotates }) };
}
