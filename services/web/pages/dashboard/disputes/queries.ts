import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { DisputesSearch } from './search.ts';

export function disputesQuery({ status, page = 1 }: DisputesSearch) {
  return queryOptions({
    queryKey: ['dispute', 'list', { status, page }],
    queryFn: () => call('GET /v1/disputes', { query: { status, page, limit: 50 } }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

export function disputeQuery(id: string) {
  return queryOptions({
    queryKey: ['dispute', id],
    queryFn: () => call('GET /v1/disputes/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.resolvedAt === null ? POLL_MS : false),
  });
}
