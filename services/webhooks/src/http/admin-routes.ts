import { api, type EndpointHealthView } from '@plataforma/contracts';
import { pageOf, type Router, serveOperator } from '@plataforma/http';
import type { WebhooksDependencies } from '../dependencies.ts';
import { withoutQuery } from '../domain/configuration.ts';
import { listAllDeliveries } from '../store/delivery-lists.ts';
import { type EndpointHealth, listEndpoints } from '../store/endpoint-health.ts';
import { adminDeliveryView } from './delivery-view.ts';

export function adminRoutes(router: Router, { verifier, reads }: WebhooksDependencies): void {
  serveOperator(router, api.listAllWebhookDeliveries, {
    verifier,
    answer: async ({ query }) => pageOf(await listAllDeliveries(reads, query), query, adminDeliveryView),
  });
  serveOperator(router, api.listWebhookEndpoints, {
    verifier,
    answer: async ({ query }) => pageOf(await listEndpoints(reads, query), query, endpointView),
  });
}

function endpointView({ configurationId, url, ...health }: EndpointHealth): EndpointHealthView {
  const { merchantId, environment, isActive, waiting, lastError, failuresInARow } = health;
  const { attempts24h, successes24h, oldestWaitingSince, lastAttemptAt, lastSuccessAt } = health;
  return {
    merchantId,
    environment,
    webhookId: configurationId,
    url: withoutQuery(url),
    isActive,
    waiting,
    oldestWaitingSince: oldestWaitingSince?.toISOString() ?? null,
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    lastError,
    failuresInARow,
    attempts24h,
    successes24h,
  };
}
