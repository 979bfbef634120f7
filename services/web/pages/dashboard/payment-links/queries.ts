import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { LinksSearch } from './search.ts';

/** Of a visit no event tells. */
export function linksQuery({ status, page = 1, from, to }: LinksSearch, timeZone: TimeZone) {
  const query = { status, page, ...periodQuery({ from, to }), timeZone };
  return queryOptions({
    queryKey: ['paymentLink', 'list', query],
    queryFn: () => call('GET /v1/payment-links', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

export function linkQuery(id: string) {
  return queryOptions({
    queryKey: ['paymentLink', id],
    queryFn: () => call('GET /v1/payment-links/:id', { params: { id } }),
    refetchInterval: POLL_MS,
  });
}
