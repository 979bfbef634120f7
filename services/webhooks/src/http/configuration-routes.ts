import { api, type WebhookConfigurationView } from '@plataforma/contracts';
import type { Database, SecretBox } from '@plataforma/data';
import {
  type OutboundRules,
  pageOf,
  type Router,
  remembering,
  serve,
  serveOnce,
  type Verifier,
} from '@plataforma/http';
import { type Configuration, noSuchConfiguration, type Shown } from '../domain/configuration.ts';
import { changeConfiguration } from '../operations/change-configuration.ts';
import { createConfiguration } from '../operations/create-configuration.ts';
import { deleteConfiguration } from '../operations/delete-configuration.ts';
import { rotateSecret } from '../operations/rotate-secret.ts';
import { sendTest } from '../operations/send-test.ts';
import { findConfiguration, listConfigurations } from '../store/configurations.ts';
import type { SeenDelivery } from '../store/delivery-lists.ts';
import { deliveryView } from './delivery-view.ts';

interface ConfigurationRoutes {
  verifier: Verifier;
  database: Database;
  secretBox: SecretBox;
  callable: OutboundRules;
}

export function configurationRoutes(router: Router, { verifier, ...parts }: ConfigurationRoutes): void {
  const { database } = parts;

  serveOnce(router, api.createWebhookConfiguration, {
    ...parts,
    verifier,
    answer: async ({ body }, merchant, once) => {
      const { keep } = remembering(once, shownAnswer);
      return shownAnswer(await createConfiguration({ ...parts, keep }, merchant, body));
    },
  });
  serve(router, api.listWebhookConfigurations, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listConfigurations(database, merchant, query), query, configurationView),
  });
  serve(router, api.getWebhookConfiguration, {
    verifier,
    answer: async ({ params }, merchant) => {
      const configuration = await findConfiguration(database, merchant, params.id);
      if (!configuration) throw noSuchConfiguration();
      return { data: configurationView(configuration) };
    },
  });
  serve(router, api.changeWebhookConfiguration, {
    verifier,
    answer: async ({ params, body }, merchant) => {
      const changed = await changeConfiguration(parts, merchant, { ...body, id: params.id });
      return { data: configurationView(changed) };
    },
  });
  serve(router, api.deleteWebhookConfiguration, {
    verifier,
    answer: async ({ params }, merchant) => {
      await deleteConfiguration(database, merchant, params.id);
      return { data: { message: 'the webhook configuration is deleted' } };
    },
  });
  serveOnce(router, api.rotateWebhookSecret, {
    ...parts,
    verifier,
    answer: async ({ params, body }, merchant, once) => {
      const { keep } = remembering(once, shownAnswer);
      return shownAnswer(await rotateSecret({ ...parts, keep }, merchant, { ...body, id: params.id }));
    },
  });
  serveOnce(router, api.testWebhook, {
    database,
    verifier,
    answer: async ({ params, body }, merchant, once) => {
      const { keep } = remembering(once, (queued: SeenDelivery) => ({ data: deliveryView(queued) }));
      return { data: deliveryView(await sendTest({ database, keep }, merchant, { ...body, id: params.id })) };
    },
  });
}

function configurationView(configuration: Configuration): WebhookConfigurationView {
  const { merchantId: _merchant, environment: _environment, createdAt, ...shown } = configuration;
  return { ...shown, createdAt: createdAt.toISOString() };
}

function shownAnswer({ configuration, secret }: Shown) {
  return { data: { ...configurationView(configuration), secret } };
}
