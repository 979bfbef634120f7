import type { TimeZone } from '@plataforma/kernel';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { listQuery } from '../lists/list-query.ts';
import type { eventsSearch } from '../searches.ts';

type Search = ReturnType<typeof eventsSearch>;

export function eventsQuery({ event, from, to, page = 1 }: Search, timeZone: TimeZone) {
  const query = { event, ...periodQuery({ from, to }), timeZone, page };
  return listQuery({ key: ['event', query], read: () => call('GET /v1/events', { query }), poll: true });
}
