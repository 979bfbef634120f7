import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
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

type Items = {
  status: 'PENDING' | 'SETTLED';
  startDate: string;
  endDate: string;
  page: number;
  timeZone: TimeZone;
};

export const receivableItemsQuery = (query: Items) =>
  queryOptions({
    queryKey: ['receivable', 'items', query],
    queryFn: () => call('GET /v1/receivables/items', { query: { ...query, limit: 20 } }),
    placeholderData: keepPreviousData,
  });

export const settledQuery = (startDate: string, timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['receivable', 'settled', startDate, timeZone],
    queryFn: () => call('GET /v1/receivables', { query: { status: 'SETTLED', startDate, timeZone } }),
  });
