import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import type { StatementSearch } from './search.ts';

/** The resource is the balance: whatever changes it adds a row here. */
export function transactionsQuery({ type, flow, search, from, to, page = 1 }: StatementSearch) {
  const query = { type, flow, search, ...periodQuery({ from, to }), page };
  return queryOptions({
    queryKey: ['balance', 'transactions', query],
    queryFn: () => call('GET /v1/transactions', { query }),
    placeholderData: keepPreviousData,
  });
}
