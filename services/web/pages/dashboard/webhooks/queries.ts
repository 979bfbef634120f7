import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { deliverySearch } from '../searches.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhook'],
  queryFn: () => call('GET /v1/webhook-config', { query: { limit: 100 } }),
  // The query polls because no event reports that an attempt changed the webhook's health.
  refetchInterval: POLL_MS,
});

interface DeliveryFilters extends ReturnType<typeof deliverySearch> {
  webhookId?: string | undefined;
  resourceId?: string | undefined;
}

/**
 * Returns the query of a list of deliveries. It polls because no event reports the progress of a delivery.
 */
export function deliveriesQuery({ page = 1, ...filters }: DeliveryFilters) {
  const query = { ...filters, page };
  return queryOptions({
    queryKey: ['delivery', 'list', query],
    queryFn: () => call('GET /v1/webhook-deliveries', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'PENDING') ? SOON_MS : POLL_MS,
  });
}

/**
 * Returns the query of the number of deliveries. It polls while it counts waiting deliveries. The number is
 * at most 10,000.
 */
export function deliveriesCountQuery(filters: {
  webhookId: string;
  status: 'PENDING' | 'FAILED';
  startDate: string;
}) {
  return queryOptions({
    queryKey: ['delivery', 'count', filters],
    queryFn: async () =>
      (await call('GET /v1/webhook-deliveries', { query: { ...filters, limit: 1 } })).meta.total,
    refetchInterval: ({ state }) => (filters.status === 'PENDING' && state.data !== 0 ? SOON_MS : false),
  });
}

export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => call('GET /v1/webhook-deliveries/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? SOON_MS : false),
  });
}

const SOON_MS = 2_000;
