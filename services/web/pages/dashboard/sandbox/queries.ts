import type { SandboxClockView } from '@plataforma/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { setAhead } from '../../shared/clock.ts';
import { POLL_MS } from '../../shared/live.ts';

/** It ends by itself, without an event. */
export const providerFaultsQuery = queryOptions({
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

/** All that a move of the clock may make happen, wherever it is shown. */
export const fallingDue = [
  ...[
    'charge',
    'paymentLink',
    'balance',
    'receivable',
    'withdrawal',
    'dispute',
    'refund',
    'api-key',
    'account',
  ],
  'event',
];

/**
 * Time passes, and what is still to happen does, without an event. All pages go by what it last answered, and read anew
 * what may have fallen due where another window, or a key, has moved it.
 */
export const clockQuery = queryOptions({
  queryKey: ['sandbox', 'clock'],
  queryFn: async ({ client, queryKey }): Promise<SandboxClockView> => {
    const before = client.getQueryData<SandboxClockView>(queryKey);
    const clock = await call('GET /v1/sandbox/clock');
    setAhead(clock.aheadSeconds);
    if (before && before.aheadSeconds !== clock.aheadSeconds) {
      for (const resource of fallingDue) void client.invalidateQueries({ queryKey: [resource] });
    }
    return clock;
  },
  refetchInterval: POLL_MS,
});
