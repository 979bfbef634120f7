import { type Queryable, type Transaction, valuesIn } from '@plataforma/data';
import { sealOf } from '@plataforma/tables';
import type { SecretOfVersion } from '../domain/delivery.ts';
import { OLD_SECRET_COLUMNS, oldSecretId, sealedOldSecrets } from './seals.ts';

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

const SIGNS_UNTIL = `SELECT now() + $1 * interval '1 second' AS "signsUntil"`;
const SAVE = `
  INSERT INTO old_secrets (configuration_id, version, secret_key_id, secret_sealed, signs_until, seal)
  VALUES ($1, $2, $3, $4, $5, $6)`;

/**
 * Saves the current secret as an old one, which also signs deliveries for `seconds`. The caller must hold the
 * row lock of the configuration.
 */
export async function saveOldSecret(
  tx: Transaction,
  configurationId: string,
  { secret: { keyId, sealed, version }, seconds }: { secret: SecretOfVersion; seconds: number },
): Promise<void> {
  const [grace] = await tx.query<{ signsUntil: Date }>(SIGNS_UNTIL, [seconds]);
  const row = {
    ...{ configurationId, version, secretKeyId: keyId, secretSealed: sealed },
    ...{ signsUntil: grace?.signsUntil, id: oldSecretId({ configurationId, version }) },
  };
  const seal = sealOf(tx, sealedOldSecrets, row);
  await tx.query(SAVE, [...valuesIn(row, OLD_SECRET_COLUMNS), seal]);
}

const FORGET = 'DELETE FROM old_secrets WHERE configuration_id = $1';

/** Deletes all old secrets of a configuration. The caller must hold the configuration's row lock. */
export async function forgetOldSecrets(tx: Transaction, configurationId: string): Promise<void> {
  await tx.query(FORGET, [configurationId]);
}

const DELETE_ENDED = 'DELETE FROM old_secrets WHERE signs_until <= now()';

export async function deleteEndedSecrets(db: Queryable): Promise<void> {
  await db.queryUnprepared(DELETE_ENDED, []);
}
