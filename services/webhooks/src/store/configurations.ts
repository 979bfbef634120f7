import {
  columnsOf,
  namesOf,
  type Page,
  type Queryable,
  readRows,
  type Slice,
  composeSql as sql,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { requireTrusted, sealOf } from '@plataforma/tables';
import type { Configuration, SealedSecret } from '../domain/configuration.ts';
import type { SecretOfVersion } from '../domain/delivery.ts';
import { CONFIGURATION_COLUMNS, type SealedConfiguration, sealedConfigurations } from './seals.ts';

/** The secret of a configuration. `keyId` and `sealed` are null if the configuration is deleted. */
type StoredSecret = SecretOfVersion | { keyId: null; sealed: null; version: number };

type ConfigurationRow = Configuration & Record<string, unknown>;

const COLUMNS = [
  ...columnsOf(
    'id, merchant_id, environment, url, events, is_active, signature_version, retry_schedule, created_at',
  ),
  `coalesce((
    SELECT CASE WHEN failures_in_a_row = 0 THEN 'healthy' WHEN last_error = 'timeout' THEN 'slow'
    ELSE 'failing' END
    FROM endpoint_health WHERE configuration_id = configurations.id), 'unknown') AS health`,
].join(', ');

/** The first number separates these advisory locks from other advisory locks in this database. */
const LOCK = 'SELECT pg_advisory_xact_lock(1, hashtext($1))';

/**
 * Lets only one transaction at a time create configurations of the merchant, in both environments, until `tx`
 * ends.
 */
export async function lockOrganization(tx: Transaction, merchantId: string): Promise<void> {
  await tx.query(LOCK, [merchantId]);
}

const COUNT = 'SELECT count(*) AS total FROM configurations WHERE merchant_id = $1 AND deleted_at IS NULL';

export async function countConfigurations(tx: Transaction, merchantId: string): Promise<number> {
  const [counted] = await tx.query<{ total: number }>(COUNT, [merchantId]);
  return counted?.total ?? 0;
}

const STORED_COLUMNS = ['id', ...CONFIGURATION_COLUMNS, 'seal'];
const STORED = namesOf(STORED_COLUMNS);
/** The number of the first columns, which never change: the id, the merchant and the environment. */
const TENANT_COLUMNS = 3;
const INSERT = `
  INSERT INTO configurations (${STORED})
  VALUES (${STORED.map((_, at) => `$${at + 1}`)})
  RETURNING ${COLUMNS}`;

type ConfigurationDraft = Omit<Configuration, 'health' | 'createdAt'>;

export async function insertConfiguration(
  tx: Transaction,
  draft: ConfigurationDraft,
  secret: SealedSecret,
): Promise<Configuration> {
  const [row] = await tx.query<ConfigurationRow>(INSERT, valuesOf(tx, draft, { ...secret, version: 1 }));
  if (!row) throw new Error('a configuration was not stored');
  return row;
}

/** Returns the values of STORED, with a new seal. */
function valuesOf(tx: Transaction, configuration: ConfigurationDraft, secret: StoredSecret): unknown[] {
  const { keyId: secretKeyId, sealed: secretSealed, version } = secret;
  const row = { ...configuration, secretKeyId, secretSealed, version };
  return valuesIn({ ...row, seal: sealOf(tx, sealedConfigurations, row) }, STORED_COLUMNS);
}

/** Returns one page of a merchant's configurations, newest first, and their total number. */
export function listConfigurations(
  db: Queryable,
  { merchantId, environment }: Tenant,
  slice: Slice,
): Promise<Page<Configuration>> {
  const own = sql('configurations').where({ merchant_id: merchantId, environment, deleted_at: null });
  return readRows<Configuration>(db, { matching: own.select(sql.raw(COLUMNS)) }, slice);
}

const FIND = `
  SELECT ${COLUMNS} FROM configurations
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL`;

export async function findConfiguration(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<Configuration | null> {
  const [row] = await db.query<ConfigurationRow>(FIND, [id, merchantId, environment]);
  return row ?? null;
}

/**
 * The lock blocks other changes of the configuration. Inserts of deliveries that refer to the row are not
 * blocked.
 */
const LOCK_ONE = `
  SELECT ${COLUMNS}, secret_key_id AS "secretKeyId", secret_sealed AS "secretSealed", version, seal
  FROM configurations
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL
  FOR NO KEY UPDATE`;

interface LockedConfiguration {
  configuration: Configuration;
  secret: SecretOfVersion;
}

async function lockRow(tx: Transaction, { merchantId, environment }: Tenant, id: string) {
  const [row] = await tx.query<ConfigurationRow & LockedRow>(LOCK_ONE, [id, merchantId, environment]);
  return row ?? null;
}

type LockedRow = SealedConfiguration & { secretKeyId: string; secretSealed: Buffer };

function lockedOf(row: ConfigurationRow & LockedRow): LockedConfiguration {
  const { secretKeyId: keyId, secretSealed: sealed, version, seal: _seal, ...configuration } = row;
  return { configuration, secret: { keyId, sealed, version } };
}

/**
 * Locks a configuration until `tx` ends and returns it. Returns null if it does not exist. Throws
 * INVALID_STATE if the row has no valid seal.
 */
export async function lockConfiguration(
  tx: Transaction,
  tenant: Tenant,
  id: string,
): Promise<LockedConfiguration | null> {
  const row = await lockRow(tx, tenant, id);
  if (!row) return null;
  requireTrusted(tx, sealedConfigurations, row);
  return lockedOf(row);
}

const SAVE = `
  UPDATE configurations SET
    ${STORED.map((name, at) => `${name} = $${at + 1}`).slice(TENANT_COLUMNS)},
    deleted_at = CASE WHEN $${STORED.indexOf('secret_key_id') + 1}::text IS NULL THEN now() END
  WHERE id = $1 AND merchant_id = $2 AND environment = $3`;

/**
 * Saves a configuration with its secret, which signs from the next claimed attempt on. Without a secret, a
 * configuration counts as deleted. The caller must hold the row lock.
 */
export async function saveConfiguration(
  tx: Transaction,
  configuration: Configuration,
  secret: StoredSecret,
): Promise<void> {
  await tx.query(SAVE, valuesOf(tx, configuration, secret));
}

const COUNT_TEST = 'UPDATE configurations SET tests = tests + 1 WHERE id = $1 RETURNING tests';

/** Adds one to the configuration's count of tests and returns it. The caller must hold the row lock. */
export async function countTest(tx: Transaction, id: string): Promise<number> {
  const [counted] = await tx.query<{ tests: number }>(COUNT_TEST, [id]);
  if (!counted) throw new Error('a test was not counted');
  return counted.tests;
}

/**
 * Marks a configuration as deleted and removes its secret. Returns false if the configuration does not exist.
 * A configuration without a valid seal may be deleted, because nothing is sent to it afterwards.
 */
export async function markConfigurationDeleted(
  tx: Transaction,
  tenant: Tenant,
  id: string,
): Promise<boolean> {
  const row = await lockRow(tx, tenant, id);
  if (!row) return false;
  const { configuration, secret } = lockedOf(row);
  const removed = { keyId: null, sealed: null, version: secret.version + 1 };
  await saveConfiguration(tx, { ...configuration, isActive: false }, removed);
  return true;
}
