import { type Database, type Router, type SecretBox, serve, type Verifier } from '@plataforma/chassis';
import { api, type WebhookConfigurationView } from '@plataforma/contracts';
import type { Configuration } from '../domain/configuration.ts';
import { createConfiguration } from '../operations/create-configuration.ts';
import { listConfigurations } from '../store/configurations.ts';

interface ConfigurationRoutes {
  verifier: Verifier;
  database: Database;
  secretBox: SecretBox;
  allowInsecure: boolean;
}

export function configurationRoutes(router: Router, { verifier, ...parts }: ConfigurationRoutes): void {
  serve(router, api.createWebhookConfiguration, {
    verifier,
    answer: async ({ body }, merchant) => {
      const { configuration, secret } = await createConfiguration(parts, merchant, body);
      return { data: { ...configurationView(configuration), secret } };
    },
  });
  serve(router, api.listWebhookConfigurations, {
    verifier,
    answer: async (_call, merchant) => {
      const configurations = await listConfigurations(parts.database, merchant);
      return { data: configurations.map(configurationView) };
    },
  });
}

function configurationView({
  id,
  url,
  events,
  isActive,
  createdAt,
}: Configuration): WebhookConfigurationView {
  return { id, url, events, isActive, createdAt: createdAt.toISOString() };
}
