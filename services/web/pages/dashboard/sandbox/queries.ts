import type { SandboxClockView } from '@plataforma/contracts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { setAhead } from '../../shared/clock.ts';
import { POLL_MS } from '../../shared/live.ts';

/** Polls because a fault expires without an event. */
export const providerFaultsQuery = queryOptions({
  queryKey: ['sandbox', 'provider'],
  queryFn: () => call('GET /v1/sandbox/provider'),
  refetchInterval: POLL_MS,
});

/** Polls because no event reports the remaining number. */
export const faultsQuery = queryOptions({
  queryKey: ['fault'],
  queryFn: () => call('GET /v1/sandbox/webhook-faults', { query: { limit: 100 } }),
  refetchInterval: POLL_MS,
});

/** The resources that a move of the clock can change. */
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
 * Polls because the clock advances without an event. All pages use its latest answer. If another window or an
 * API key moved it, they read the affected resources again.
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
