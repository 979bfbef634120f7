import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';
import { ZONE } from '../../shared/format.ts';
import { POLL_MS } from '../../shared/live.ts';

export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: () => call('GET /v1/balance', { query: {} }),
  refetchInterval: POLL_MS,
});

export const receivablesQuery = queryOptions({
  queryKey: ['receivable', 'days'],
  queryFn: () => call('GET /v1/receivables', { query: { timeZone: ZONE } }),
});

/** The settled days since this one. */
export const settledQuery = (startDate: string) =>
  queryOptions({
    queryKey: ['receivable', 'settled', startDate],
    queryFn: () => call('GET /v1/receivables', { query: { status: 'SETTLED', startDate, timeZone: ZONE } }),
  });
