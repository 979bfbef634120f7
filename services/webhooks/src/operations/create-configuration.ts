import type { Database, SecretBox, Transaction } from '@plataforma/data';
import type { OutboundRules } from '@plataforma/http';
import { newId, Refusal, type Tenant } from '@plataforma/kernel';
import { type Configuration, MAX_CONFIGURATIONS, type Shown } from '../domain/configuration.ts';
import { reasonAgainstSecret } from '../domain/signing-secret.ts';
import { newSecret } from '../new-secret.ts';
import { requireCallable } from '../sending/send-attempt.ts';
import { countConfigurations, insertConfiguration, lockOrganization } from '../store/configurations.ts';

interface CreateConfiguration {
  database: Database;
  secretBox: SecretBox;
  callable: OutboundRules;
  saveResponse: (tx: Transaction, shown: Shown) => Promise<void>;
}

interface NewConfiguration
  extends Pick<Configuration, 'url' | 'events' | 'signatureVersion' | 'retrySchedule'> {
  secret?: string | undefined;
}

/**
 * Adds a configuration and returns its secret, which is never shown again. Throws WEBHOOK_LIMIT_REACHED if
 * the organization has MAX_CONFIGURATIONS.
 */
export async function createConfiguration(
  { database, secretBox, callable, saveResponse }: CreateConfiguration,
  { merchantId, environment }: Tenant,
  { secret = newSecret(), events, ...options }: NewConfiguration,
): Promise<Shown> {
  requireCallable(options.url, callable);
  const reason = reasonAgainstSecret(secret, options.signatureVersion);
  if (reason) throw new Refusal('invalid', 'VALIDATION_ERROR', `secret: ${reason}`);

  const id = newId();
  const sealed = secretBox.seal(secret, id);
  const owned = { id, merchantId, environment, isActive: true };
  const draft = { ...options, ...owned, events: [...new Set(events)] };
  return database.transaction(async (tx) => {
    await lockOrganization(tx, merchantId);
    if ((await countConfigurations(tx, merchantId)) >= MAX_CONFIGURATIONS) {
      const message = `an organization may have ${MAX_CONFIGURATIONS} in both environments together`;
      throw new Refusal('unprocessable', 'WEBHOOK_LIMIT_REACHED', message);
    }
    const shown = { configuration: await insertConfiguration(tx, draft, sealed), secret };
    await saveResponse(tx, shown);
    return shown;
  });
}
