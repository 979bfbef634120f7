import type { Database, SecretBox, Transaction } from '@plataforma/data';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { noSuchConfiguration, type Shown } from '../domain/configuration.ts';
import { reasonAgainstSecret } from '../domain/signing-secret.ts';
import { failPoint } from '../fail-points.ts';
import { newSecret } from '../new-secret.ts';
import { lockConfiguration, saveSecret } from '../store/configurations.ts';

interface RotateSecret {
  database: Database;
  secretBox: SecretBox;
  /** Called in the transaction with what it commits. */
  keep: (tx: Transaction, shown: Shown) => Promise<void>;
}

/** Replaces the secret, which is handed back here and never again; every attempt that is claimed later is signed with it. */
export async function rotateSecret(
  { database, secretBox, keep }: RotateSecret,
  tenant: Tenant,
  { id, secret = newSecret() }: { id: string; secret?: string | undefined },
): Promise<Shown> {
  return database.transaction(async (tx) => {
    const locked = await lockConfiguration(tx, tenant, id);
    if (!locked) throw noSuchConfiguration();
    const reason = reasonAgainstSecret(secret, locked.configuration.signatureVersion);
    if (reason) throw new Refusal('invalid', 'VALIDATION_ERROR', `secret: ${reason}`);
    await saveSecret(tx, locked.configuration, secretBox.seal(secret, id));
    const shown = { configuration: locked.configuration, secret };
    await keep(tx, shown);
    failPoint('secret.rotated');
    return shown;
  });
}
