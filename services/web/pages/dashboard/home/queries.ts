import { queryOptions } from '@tanstack/react-query';
import { call, environment } from '../../shared/api.ts';

/** Keys of both environments are in one list. */
export const hasKeyQuery = queryOptions({
  queryKey: ['api-key', 'list', 'any', environment],
  queryFn: async () => {
    const { data } = await call('GET /v1/api-keys', { query: { limit: 100 } });
    return data.some((key) => key.environment === environment && key.revokedAt === null);
  },
});

export const hasWebhookQuery = queryOptions({
  queryKey: ['webhook', 'list', 'any'],
  queryFn: async () => (await call('GET /v1/webhook-config', { query: { limit: 1 } })).meta.total > 0,
});
