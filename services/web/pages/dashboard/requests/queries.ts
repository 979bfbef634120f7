import type { TimeZone } from '@plataforma/kernel';
import { queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import { listQuery } from '../lists/list-query.ts';
import type { requestsSearch } from '../searches.ts';

type Search = ReturnType<typeof requestsSearch>;

export function requestsQuery(
  { status, method, source, search, from, to, page = 1 }: Search,
  timeZone: TimeZone,
) {
  const made = source === 'all' ? {} : { source: source ?? ('key' as const) };
  const query = { status, method, search, ...made, ...periodQuery({ from, to }), timeZone, page };
  return listQuery({ key: ['request', query], read: () => call('GET /v1/requests', { query }), poll: true });
}

export function requestsAboutQuery(objectId: string) {
  return queryOptions({
    queryKey: ['request', 'about', objectId],
    queryFn: () => call('GET /v1/requests', { query: { objectId, source: 'key', limit: 10 } }),
    refetchInterval: POLL_MS,
  });
}
