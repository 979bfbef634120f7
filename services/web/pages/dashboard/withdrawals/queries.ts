import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { WithdrawalsSearch } from './search.ts';

const UNDER_WAY = new Set(['PENDING', 'APPROVED', 'PROCESSING']);

export function withdrawalsQuery({ status, page = 1 }: WithdrawalsSearch) {
  const query = { status, page };
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
