import type { Database, SecretBox, Transaction } from '@plataforma/data';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { MAX_OLD_SECRETS, noSuchConfiguration, type Shown } from '../domain/configuration.ts';
import type { SecretOfVersion } from '../domain/delivery.ts';
import { reasonAgainstSecret } from '../domain/signing-secret.ts';
import { failPoint } from '../fail-points.ts';
import { newSecret } from '../new-secret.ts';
import { lockConfiguration, saveConfiguration } from '../store/configurations.ts';
import { countOldSecrets, forgetOldSecrets, saveOldSecret } from '../store/old-secrets.ts';

interface RotateSecret {
  database: Database;
  secretBox: SecretBox;
  saveResponse: (tx: Transaction, shown: Shown) => Promise<void>;
}

interface Rotation {
  id: string;
  secret?: string | undefined;
  gracePeriodSeconds: number;
}

/**
 * Replaces the secret and returns the new one, which is shown only once. The new secret signs attempts that
 * are leased later. With a grace period, each older secret also signs until its own period ends; without a
 * grace period, all older secrets end now.
 */
export async function rotateSecret(
  { database, secretBox, saveResponse }: RotateSecret,
  tenant: Tenant,
  { id, secret = newSecret(), gracePeriodSeconds }: Rotation,
): Promise<Shown> {
  return database.transaction(async (tx) => {
    const locked = await lockConfiguration(tx, tenant, id);
    if (!locked) throw noSuchConfiguration();
    const reason = reasonAgainstSecret(secret, locked.configuration.signatureVersion);
    if (reason) throw new Refusal('invalid', 'VALIDATION_ERROR', `secret: ${reason}`);
    await endOrKeep(tx, id, { secret: locked.secret, seconds: gracePeriodSeconds });
    const next = { ...secretBox.seal(secret, id), version: locked.secret.version + 1 };
    await saveConfiguration(tx, locked.configuration, next);
    const shown = { configuration: locked.configuration, secret };
    await saveResponse(tx, shown);
    failPoint('secret.rotated');
    return shown;
  });
}

async function endOrKeep(
  tx: Transaction,
  id: string,
  old: { secret: SecretOfVersion; seconds: number },
): Promise<void> {
  if (old.seconds === 0) return forgetOldSecrets(tx, id);
  if ((await countOldSecrets(tx, id)) >= MAX_OLD_SECRETS) {
    const message = `${MAX_OLD_SECRETS} old secrets still sign: let a grace end, or rotate without one`;
    throw new Refusal('conflict', 'INVALID_STATE', message);
  }
  return saveOldSecret(tx, id, old);
}
