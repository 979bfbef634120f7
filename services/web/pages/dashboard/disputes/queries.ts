import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import { listQuery } from '../lists/list-query.ts';
import type { disputesSearch } from '../searches.ts';

export function disputesQuery({ status, search, page = 1 }: ReturnType<typeof disputesSearch>) {
  const query = { status, search, page };
  return listQuery({
    key: ['dispute', 'list', query],
    read: () => call('GET /v1/disputes', { query: { ...query, limit: 50, sums: 'true' } }),
    poll: true,
  });
}

export function disputeQuery(id: string) {
  return queryOptions({
    queryKey: ['dispute', id],
    queryFn: () => call('GET /v1/disputes/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.resolvedAt === null ? POLL_MS : false),
  });
}
