import type { TimeZone } from '@plataforma/kernel';
import { queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import { listQuery } from '../lists/list-query.ts';
import type { chargesSearch } from '../searches.ts';

type Search = ReturnType<typeof chargesSearch>;

/** Returns the filters of a URL as query parameters of the API. */
export function chargeQuery({ status, method, search, link, from, to }: Search) {
  return { status, paymentMethod: method, search, paymentLinkId: link, ...periodQuery({ from, to }) };
}

export function chargesQuery(search: Search, timeZone: TimeZone) {
  const query = { ...chargeQuery(search), timeZone, page: search.page ?? 1 };
  const read = () => call('GET /v1/charges', { query: { ...query, sums: 'true' } });
  return listQuery({
    key: ['charge', 'list', query],
    read,
    poll: ({ status }) => status === 'PENDING',
  });
}

export const latestChargesQuery = queryOptions({
  queryKey: ['charge', 'list', 'latest'],
  queryFn: () => call('GET /v1/charges', { query: { limit: 5 } }),
  refetchInterval: POLL_MS,
});
