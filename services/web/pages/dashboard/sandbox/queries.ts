import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { setAhead } from '../../shared/clock.ts';
import { POLL_MS } from '../../shared/live.ts';

/** It ends by itself, without an event. */
export const weatherQuery = queryOptions({
  queryKey: ['sandbox', 'provider'],
  queryFn: () => call('GET /v1/sandbox/provider'),
  refetchInterval: POLL_MS,
});

/** No event says what is left of one. */
export const faultsQuery = queryOptions({
  queryKey: ['fault'],
  queryFn: () => call('GET /v1/sandbox/webhook-faults', { query: { limit: 100 } }),
  refetchInterval: POLL_MS,
});

/** Time passes, and what is still to happen does, without an event. All pages go by what it last answered. */
export const clockQuery = queryOptions({
  queryKey: ['sandbox', 'clock'],
  queryFn: async () => {
    const clock = await call('GET /v1/sandbox/clock');
    setAhead(clock.aheadSeconds);
    return clock;
  },
  refetchInterval: POLL_MS,
});
