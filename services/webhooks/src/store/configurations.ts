import {
  columnsOf,
  type Page,
  type Queryable,
  readRows,
  type Slice,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Configuration, SealedSecret } from '../domain/configuration.ts';

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

const INSERT = `
  INSERT INTO configurations
    (id, merchant_id, environment, url, events, signature_version, retry_schedule, secret_key_id,
    secret_sealed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  RETURNING ${COLUMNS}`;

type ConfigurationDraft = Omit<Configuration, 'isActive' | 'health' | 'createdAt'> & { secret: SealedSecret };

export async function insertConfiguration(
  tx: Transaction,
  draft: ConfigurationDraft,
): Promise<Configuration> {
  const { id, merchantId, environment, url, events, signatureVersion, retrySchedule, secret } = draft;
  const owned = [id, merchantId, environment];
  const options = [url, events, signatureVersion, retrySchedule];
  const values = [...owned, ...options, secret.keyId, secret.sealed];
  const [row] = await tx.query<ConfigurationRow>(INSERT, values);
  if (!row) throw new Error('a configuration was not stored');
  return row;
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
  SELECT ${COLUMNS}, secret_key_id AS "keyId", secret_sealed AS sealed FROM configurations
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL
  FOR NO KEY UPDATE`;

/** Locks a configuration until `tx` ends and returns it. Returns null if it does not exist. */
export async function lockConfiguration(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<{ configuration: Configuration; secret: SealedSecret } | null> {
  const [row] = await tx.query<ConfigurationRow & SealedSecret>(LOCK_ONE, [id, merchantId, environment]);
  if (!row) return null;
  const { keyId, sealed, ...configuration } = row;
  return { configuration, secret: { keyId, sealed } };
}

const SAVE = `
  UPDATE configurations SET
    url = $4, events = $5, is_active = $6, signature_version = $7, retry_schedule = $8
  WHERE id = $1 AND merchant_id = $2 AND environment = $3`;

export async function saveConfiguration(tx: Transaction, configuration: Configuration): Promise<void> {
  const { id, merchantId, environment, url, events, isActive } = configuration;
  const { signatureVersion, retrySchedule } = configuration;
  await tx.query(SAVE, [id, merchantId, environment, url, events, isActive, signatureVersion, retrySchedule]);
}

const SAVE_SECRET = `
  UPDATE configurations SET secret_key_id = $4, secret_sealed = $5, version = version + 1
  WHERE id = $1 AND merchant_id = $2 AND environment = $3`;

/**
 * Saves the secret of a configuration. The next claimed attempt is signed with it. The caller must hold the
 * row lock.
 */
export async function saveSecret(
  tx: Transaction,
  { id, merchantId, environment }: Configuration,
  { keyId, sealed }: SealedSecret,
): Promise<void> {
  await tx.query(SAVE_SECRET, [id, merchantId, environment, keyId, sealed]);
}

const COUNT_TEST = 'UPDATE configurations SET tests = tests + 1 WHERE id = $1 RETURNING tests';

/** Adds one to the configuration's count of tests and returns it. The caller must hold the row lock. */
export async function countTest(tx: Transaction, id: string): Promise<number> {
  const [counted] = await tx.query<{ tests: number }>(COUNT_TEST, [id]);
  if (!counted) throw new Error('a test was not counted');
  return counted.tests;
}

const DELETE = `
  UPDATE configurations SET
    deleted_at = now(), is_active = false, secret_key_id = NULL, secret_sealed = NULL, version = version + 1
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL
  RETURNING id`;

/**
 * Marks a configuration as deleted and removes its secret. Returns false if the configuration does not exist.
 */
export async function markConfigurationDeleted(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<boolean> {
  return (await tx.query(DELETE, [id, merchantId, environment])).length > 0;
}
