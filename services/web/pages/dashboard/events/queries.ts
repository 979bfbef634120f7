import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';
import type { EventsSearch } from './search.ts';

export function eventsQuery({ event, from, to, page = 1 }: EventsSearch, timeZone: TimeZone) {
  const query = { event, ...periodQuery({ from, to }), timeZone, page };
  return queryOptions({
    queryKey: ['event', query],
    queryFn: () => call('GET /v1/events', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}
