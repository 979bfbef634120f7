import type { ChargeView } from '@plataforma/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';

/**
 * Reads a charge. The page polls while the charge can still change without the user's action, because the
 * stream may be unavailable.
 */
export function chargeQuery(id: string) {
  return queryOptions({
    queryKey: ['charge', id],
    queryFn: () => call('GET /v1/charges/:id', { params: { id } }),
    refetchInterval: ({ state }) => (isOpen(state.data) ? POLL_MS : false),
  });
}

function isOpen(charge: ChargeView | undefined): boolean {
  if (!charge) return false;
  const { status, refunds } = charge;
  return ['PENDING', 'DISPUTED'].includes(status) || refunds.some((each) => each.status === 'PROCESSING');
}

export function timelineQuery(id: string) {
  return queryOptions({
    queryKey: ['charge', id, 'timeline'],
    queryFn: () => call('GET /v1/charges/:id/timeline', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.waitingFor ? POLL_MS : false),
  });
}

export function transactionsQuery(id: string) {
  return queryOptions({
    queryKey: ['balance', 'transactions', id],
    queryFn: () => call('GET /v1/transactions', { query: { search: id, limit: 100 } }),
  });
}

export function deliveriesQuery(resourceId: string) {
  return queryOptions({
    queryKey: ['charge', resourceId, 'deliveries'],
    queryFn: () => call('GET /v1/webhook-deliveries', { query: { resourceId, limit: 20 } }),
    refetchInterval: POLL_MS,
  });
}

export function eventsQuery(resourceId: string) {
  return queryOptions({
    queryKey: ['charge', resourceId, 'events'],
    queryFn: () => call('GET /v1/events', { query: { resourceId, limit: 20 } }),
    refetchInterval: POLL_MS,
  });
}
