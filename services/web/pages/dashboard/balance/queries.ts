import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';

export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: () => call('GET /v1/balance', { query: {} }),
});

export const receivablesQuery = queryOptions({
  queryKey: ['receivable', 'days'],
  queryFn: () => call('GET /v1/receivables', { query: {} }),
});
