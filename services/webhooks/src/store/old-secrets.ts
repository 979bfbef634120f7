import type { Queryable, Transaction } from '@plataforma/data';

const COUNT = `
  SELECT count(*) AS total FROM old_secrets WHERE configuration_id = $1 AND signs_until > now()`;

/**
 * Counts the secrets of a configuration that still sign in their grace period. The caller must hold the row
 * lock of the configuration.
 */
export async function countOldSecrets(tx: Transaction, configurationId: string): Promise<number> {
  const [counted] = await tx.query<{ total: number }>(COUNT, [configurationId]);
  return counted?.total ?? 0;
}

const SAVE = `
  INSERT INTO old_secrets (configuration_id, version, secret_key_id, secret_sealed, signs_until)
  SELECT id, version, secret_key_id, secret_sealed, now() + $2 * interval '1 second'
  FROM configurations WHERE id = $1`;

/**
 * Saves the current secret as an old one, which also signs deliveries for `seconds`. The caller must hold the
 * row lock of the configuration.
 */
export async function saveOldSecret(
  tx: Transaction,
  configurationId: string,
  seconds: number,
): Promise<void> {
  await tx.query(SAVE, [configurationId, seconds]);
}

const FORGET = 'DELETE FROM old_secrets WHERE configuration_id = $1';

/** Deletes all old secrets of a configuration, whose row lock the caller must hold. */
export async function forgetOldSecrets(tx: Transaction, configurationId: string): Promise<void> {
  await tx.query(FORGET, [configurationId]);
}

const DELETE_ENDED = 'DELETE FROM old_secrets WHERE signs_until <= now()';

export async function deleteEndedSecrets(db: Queryable): Promise<void> {
  await db.queryUnprepared(DELETE_ENDED, []);
}
