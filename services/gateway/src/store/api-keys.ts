import type { Queryable } from '@plataforma/chassis';
import type { Scope } from '@plataforma/contracts';
import type { Environment } from '@plataforma/kernel';
import type { ApiKey } from '../domain/access.ts';
import type { OrganizationStatus } from '../domain/organization.ts';

/** What a merchant sees of a key. */
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
  revokedAt: Date | null;
}

const INSERT = `
  INSERT INTO api_keys
    (id, organization_id, environment, name, key_hash, masked_key, scopes, allowed_ips, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

export async function insertApiKey(db: Queryable, key: StoredKey, keyHash: string): Promise<void> {
  const { id, organizationId, environment, name, maskedKey, scopes, allowedIps, createdAt, expiresAt } = key;
  const what = [
    id,
    organizationId,
    environment,
    name,
    keyHash,
    maskedKey,
    scopes,
    allowedIps,
    createdAt,
    expiresAt,
  ];
  await db.query(INSERT, what);
}

interface KeyRow {
  id: string;
  organization_id: string;
  environment: Environment;
  name: string;
  masked_key: string;
  scopes: Scope[];
  allowed_ips: string[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  [column: string]: unknown;
}

/** Named one by one: a column that a newer release adds must not change what a prepared statement answers. */
const COLUMNS = `k.id, k.organization_id, k.environment, k.name, k.masked_key, k.scopes, k.allowed_ips, k.created_at,
  k.expires_at, k.revoked_at`;

const LIST = `
  SELECT ${COLUMNS} FROM api_keys k WHERE k.organization_id = $1 ORDER BY k.created_at DESC, k.id DESC`;

export async function listApiKeys(db: Queryable, organizationId: string): Promise<StoredKey[]> {
  const rows = await db.query<KeyRow>(LIST, [organizationId]);
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    maskedKey: row.masked_key,
    environment: row.environment,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }));
}

const REVOKE = `
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 AND organization_id = $2 RETURNING id`;

/** False: the organization has no such key. */
export async function revokeApiKey(db: Queryable, organizationId: string, id: string): Promise<boolean> {
  return (await db.query(REVOKE, [id, organizationId])).length === 1;
}

const FIND_BY_HASH = `
  SELECT ${COLUMNS}, o.status FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.key_hash = $1`;

export async function findApiKeyByHash(db: Queryable, keyHash: string): Promise<ApiKey | null> {
  const [row] = await db.query<KeyRow & { status: OrganizationStatus }>(FIND_BY_HASH, [keyHash]);
  if (!row) return null;
  return {
    id: row.id,
    merchantId: row.organization_id,
    merchantStatus: row.status,
    environment: row.environment,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
