import { api, type Resent, type WebhookConfigurationView } from '@plataforma/contracts';
import { pageOf, type Router, serve, serveIdempotent } from '@plataforma/http';
import type { WebhooksDependencies } from '../dependencies.ts';
import { type Configuration, noSuchConfiguration, type Shown } from '../domain/configuration.ts';
import { changeConfiguration } from '../operations/change-configuration.ts';
import { createConfiguration } from '../operations/create-configuration.ts';
import { deleteConfiguration } from '../operations/delete-configuration.ts';
import { resendFailed } from '../operations/resend.ts';
import { rotateSecret } from '../operations/rotate-secret.ts';
import { sendTest } from '../operations/send-test.ts';
import { findConfiguration, listConfigurations } from '../store/configurations.ts';
import type { ListedDelivery } from '../store/delivery-lists.ts';
import { deliveryView } from './delivery-view.ts';

export function configurationRoutes(router: Router, dependencies: WebhooksDependencies): void {
  const { verifier, database, secretBox } = dependencies;

  serveIdempotent(router, api.createWebhookConfiguration, {
    verifier,
    database,
    secretBox,
    work: ({ body }, merchant, { saveResponse }) =>
      createConfiguration({ ...dependencies, saveResponse }, merchant, body),
    show: shownAnswer,
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
      const changed = await changeConfiguration(dependencies, merchant, { ...body, id: params.id });
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
  serveIdempotent(router, api.rotateWebhookSecret, {
    verifier,
    database,
    secretBox,
    work: ({ params, body }, merchant, { saveResponse }) =>
      rotateSecret({ ...dependencies, saveResponse }, merchant, { ...body, id: params.id }),
    show: shownAnswer,
  });
  serveIdempotent(router, api.testWebhook, {
    database,
    verifier,
    work: ({ params, body }, merchant, { saveResponse }) =>
      sendTest({ database, saveResponse }, merchant, { ...body, id: params.id }),
    show: (queued: ListedDelivery) => ({ data: deliveryView(queued) }),
  });
  serveIdempotent(router, api.resendFailedDeliveries, {
    database,
    verifier,
    work: ({ params, body }, merchant, { saveResponse }) =>
      resendFailed({ database, saveResponse }, merchant, { id: params.id, since: new Date(body.since) }),
    show: (resent: Resent) => ({ data: resent }),
  });
}

function configurationView(configuration: Configuration): WebhookConfigurationView {
  const { merchantId: _merchant, environment: _environment, createdAt, ...shown } = configuration;
  return { ...shown, createdAt: createdAt.toISOString() };
}

function shownAnswer({ configuration, secret }: Shown) {
  return { data: { ...configurationView(configuration), secret } };
}
