import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { WithdrawalsSearch } from './search.ts';

const UNDER_WAY = new Set(['PENDING', 'APPROVED', 'PROCESSING']);

/** The filters of a URL as the API takes them. */
export function withdrawalListQuery({ status, method, search, from, to }: WithdrawalsSearch) {
  return { status, method, search, ...periodQuery({ from, to }) };
}

export function withdrawalsQuery(search: WithdrawalsSearch, timeZone: TimeZone) {
  const query = { ...withdrawalListQuery(search), timeZone, page: search.page ?? 1 };
  return queryOptions({
    queryKey: ['withdrawal', 'list', query],
    queryFn: () => call('GET /v1/withdrawals', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((each) => UNDER_WAY.has(each.status)) ? POLL_MS : false,
  });
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: ['withdrawal', id],
    queryFn: () => call('GET /v1/withdrawals/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data && UNDER_WAY.has(state.data.status) ? POLL_MS : false),
  });
}
