import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { RequestsSearch } from './search.ts';

export function requestsQuery(
  { status, method, source, search, from, to, page = 1 }: RequestsSearch,
  timeZone: TimeZone,
) {
  const made = source === 'all' ? {} : { source: source ?? ('key' as const) };
  const query = { status, method, search, ...made, ...periodQuery({ from, to }), timeZone, page };
  return queryOptions({
    queryKey: ['request', query],
    queryFn: () => call('GET /v1/requests', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

/** The latest that the merchant's own system made about an object. */
export function requestsAboutQuery(objectId: string) {
  return queryOptions({
    queryKey: ['request', 'about', objectId],
    queryFn: () => call('GET /v1/requests', { query: { objectId, source: 'key', limit: 10 } }),
    refetchInterval: POLL_MS,
  });
}
