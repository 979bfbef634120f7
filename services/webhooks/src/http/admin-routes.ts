import { api, type EndpointHealthView } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { pageOf, type Router, serveOperator, type Verifier } from '@plataforma/http';
import { withoutQuery } from '../domain/without-query.ts';
import { listAllDeliveries } from '../store/delivery-lists.ts';
import { type EndpointHealth, listEndpoints } from '../store/endpoint-health.ts';
import { adminDeliveryView } from './delivery-view.ts';

interface AdminRoutes {
  verifier: Verifier;
  database: Database;
}

export function adminRoutes(router: Router, { verifier, database }: AdminRoutes): void {
  serveOperator(router, api.listAllWebhookDeliveries, {
    verifier,
    answer: async ({ query }) => pageOf(await listAllDeliveries(database, query), query, adminDeliveryView),
  });
  serveOperator(router, api.listWebhookEndpoints, {
    verifier,
    answer: async ({ query }) => pageOf(await listEndpoints(database, query), query, endpointView),
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
