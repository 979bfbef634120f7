import type { Queryable, Transaction } from '@plataforma/chassis';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Configuration, SealedSecret } from '../domain/configuration.ts';
import type { Notification } from '../domain/notification.ts';

type ConfigurationRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  url: string;
  events: Configuration['events'];
  is_active: boolean;
  created_at: Date;
};

const COLUMNS = 'id, merchant_id, environment, url, events, is_active, created_at';

/** The first number keeps these locks apart from any others of this database. */
const LOCK = 'SELECT pg_advisory_xact_lock(1, hashtext($1))';

/** Until the end of `tx` nobody else adds a configuration for this merchant, in either environment. */
export async function lockOrganization(tx: Transaction, merchantId: string): Promise<void> {
  await tx.query(LOCK, [merchantId]);
}

const COUNT = 'SELECT count(*) AS total FROM configurations WHERE merchant_id = $1';

export async function countConfigurations(tx: Transaction, merchantId: string): Promise<number> {
  const [counted] = await tx.query<{ total: number }>(COUNT, [merchantId]);
  return counted?.total ?? 0;
}

const INSERT = `
  INSERT INTO configurations (id, merchant_id, environment, url, events, secret_key_id, secret_sealed)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  RETURNING ${COLUMNS}`;

type ConfigurationDraft = Pick<Configuration, 'id' | 'merchantId' | 'environment' | 'url' | 'events'> & {
  sealed: SealedSecret;
};

export async function insertConfiguration(
  tx: Transaction,
  draft: ConfigurationDraft,
): Promise<Configuration> {
  const { id, merchantId, environment, url, events, sealed } = draft;
  const values = [id, merchantId, environment, url, events, sealed.keyId, sealed.sealed];
  const [row] = await tx.query<ConfigurationRow>(INSERT, values);
  if (!row) throw new Error('a configuration was not stored');
  return configurationOf(row);
}

const LIST = `
  SELECT ${COLUMNS} FROM configurations
  WHERE merchant_id = $1 AND environment = $2
  ORDER BY created_at DESC, id DESC`;

export async function listConfigurations(db: Queryable, tenant: Tenant): Promise<Configuration[]> {
  const rows = await db.query<ConfigurationRow>(LIST, [tenant.merchantId, tenant.environment]);
  return rows.map(configurationOf);
}

const MATCH = `
  SELECT n.id AS event_id, c.id AS configuration_id
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS n (id, merchant_id, environment, type)
  JOIN configurations c ON c.merchant_id = n.merchant_id AND c.environment = n.environment
  WHERE c.is_active AND (c.events = '{}' OR n.type = ANY (c.events))`;

/** Which active configurations of the same merchant and environment want which of the notifications. */
export async function matchingConfigurations(
  tx: Transaction,
  notifications: readonly Notification[],
): Promise<{ eventId: string; configurationId: string }[]> {
  const rows = await tx.query<{ event_id: string; configuration_id: string }>(MATCH, [
    notifications.map(({ id }) => id),
    notifications.map(({ merchantId }) => merchantId),
    notifications.map(({ environment }) => environment),
    notifications.map(({ type }) => type),
  ]);
  return rows.map((row) => ({ eventId: row.event_id, configurationId: row.configuration_id }));
}

function configurationOf(row: ConfigurationRow): Configuration {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    url: row.url,
    events: row.events,
    isActive: row.is_active,
    createdAt: row.created_at,
  };
}
