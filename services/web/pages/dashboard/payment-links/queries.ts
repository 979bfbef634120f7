import type { TimeZone } from '@plataforma/kernel';
import { queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import { listQuery } from '../lists/list-query.ts';
import type { linksSearch } from '../searches.ts';

type Search = ReturnType<typeof linksSearch>;

/** The query polls because no event reports that a buyer opened the link. */
export function linksQuery({ status, search, page = 1, from, to }: Search, timeZone: TimeZone) {
  const query = { status, search, page, ...periodQuery({ from, to }), timeZone };
  const read = () => call('GET /v1/payment-links', { query });
  return listQuery({ key: ['paymentLink', 'list', query], read, poll: true });
}

export function linkQuery(id: string) {
  return queryOptions({
    queryKey: ['paymentLink', id],
    queryFn: () => call('GET /v1/payment-links/:id', { params: { id } }),
    refetchInterval: POLL_MS,
  });
}
