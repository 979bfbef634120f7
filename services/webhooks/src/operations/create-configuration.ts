import { type Database, reasonAgainst, type SecretBox } from '@plataforma/chassis';
import type { WebhookConfigurationView } from '@plataforma/contracts';
import { newId, Refusal, type Tenant } from '@plataforma/kernel';
import { type Configuration, MAX_CONFIGURATIONS } from '../domain/configuration.ts';
import { newSecret } from '../new-secret.ts';
import { countConfigurations, insertConfiguration, lockOrganization } from '../store/configurations.ts';

interface Parts {
  database: Database;
  secretBox: SecretBox;
  allowInsecure: boolean;
}

interface NewConfiguration {
  url: string;
  secret?: string | undefined;
  events: WebhookConfigurationView['events'];
}

/** Adds one of at most five configurations; its secret is handed back here and never again. */
export async function createConfiguration(
  { database, secretBox, allowInsecure }: Parts,
  { merchantId, environment }: Tenant,
  { url, secret = newSecret(), events }: NewConfiguration,
): Promise<{ configuration: Configuration; secret: string }> {
  const reason = reasonAgainst(URL.parse(url), allowInsecure);
  if (reason) throw new Refusal('invalid', 'VALIDATION_ERROR', `url: ${reason}`);

  const id = newId();
  const sealed = secretBox.seal(secret, id);
  const draft = { id, merchantId, environment, url, events: [...new Set(events)], sealed };
  const configuration = await database.transaction(async (tx) => {
    await lockOrganization(tx, merchantId);
    if ((await countConfigurations(tx, merchantId)) >= MAX_CONFIGURATIONS) {
      const message = `an organization may have ${MAX_CONFIGURATIONS} in both environments together`;
      throw new Refusal('unprocessable', 'WEBHOOK_LIMIT_REACHED', message);
    }
    return insertConfiguration(tx, draft);
  });
  return { configuration, secret };
}
