import type { TimeZone } from '@plataforma/kernel';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { POLL_MS } from '../../shared/live.ts';

export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: () => call('GET /v1/balance', { query: {} }),
  refetchInterval: POLL_MS,
});

export const receivablesQuery = (timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['receivable', 'days', timeZone],
    queryFn: () => call('GET /v1/receivables', { query: { timeZone } }),
  });

export const settledQuery = (startDate: string, timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['receivable', 'settled', startDate, timeZone],
    queryFn: () => call('GET /v1/receivables', { query: { status: 'SETTLED', startDate, timeZone } }),
  });
