import type { SandboxClockView } from '@plataforma/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { setAhead } from '../../shared/clock.ts';
import { POLL_MS } from '../../shared/live.ts';

/** The query polls because no event reports that a fault has expired. */
export const providerFaultsQuery = queryOptions({
  queryKey: ['sandbox', 'provider'],
  queryFn: () => call('GET /v1/sandbox/provider'),
  refetchInterval: POLL_MS,
});

/** The query polls because no event reports how many faults are left. */
export const faultsQuery = queryOptions({
  queryKey: ['fault'],
  queryFn: () => call('GET /v1/sandbox/webhook-faults', { query: { limit: 100 } }),
  refetchInterval: POLL_MS,
});

/** The names of the queries that a move of the sandbox's clock can make stale. */
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
 * The query polls, because no event reports the time of the clock. Each answer sets the clock of all pages.
 * If another window or an API key has moved the clock, the queries of `fallingDue` run again.
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
