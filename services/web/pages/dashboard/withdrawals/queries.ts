import type { TimeZone } from '@plataforma/kernel';
import { queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import { listQuery } from '../lists/list-query.ts';
import type { withdrawalsSearch } from '../searches.ts';

type Search = ReturnType<typeof withdrawalsSearch>;

const UNDER_WAY = new Set(['PENDING', 'APPROVED', 'PROCESSING']);

/** Returns the filters of a URL as query parameters of the API. */
export function withdrawalListQuery({ status, method, search, from, to }: Search) {
  return { status, method, search, ...periodQuery({ from, to }) };
}

export function withdrawalsQuery(search: Search, timeZone: TimeZone) {
  const query = { ...withdrawalListQuery(search), timeZone, page: search.page ?? 1 };
  return listQuery({
    key: ['withdrawal', 'list', query],
    read: () => call('GET /v1/withdrawals', { query: { ...query, sums: 'true' } }),
    poll: ({ status }) => UNDER_WAY.has(status),
  });
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: ['withdrawal', id],
    queryFn: () => call('GET /v1/withdrawals/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data && UNDER_WAY.has(state.data.status) ? POLL_MS : false),
  });
}
