import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { ChargesSearch } from './search.ts';

/** The filters of a URL as the API takes them. */
export function chargeQuery({ status, method, search, link, from, to }: ChargesSearch) {
  return { status, paymentMethod: method, search, paymentLinkId: link, ...periodQuery({ from, to }) };
}

export function chargesQuery(search: ChargesSearch, timeZone: TimeZone) {
  const query = { ...chargeQuery(search), timeZone, page: search.page ?? 1 };
  return queryOptions({
    queryKey: ['charge', 'list', query],
    queryFn: () => call('GET /v1/charges', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'PENDING') ? POLL_MS : false,
  });
}

export const latestChargesQuery = queryOptions({
  queryKey: ['charge', 'list', 'latest'],
  queryFn: () => call('GET /v1/charges', { query: { limit: 5 } }),
  refetchInterval: POLL_MS,
});
