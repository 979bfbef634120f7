import type { TimeZone } from '@plataforma/kernel';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import type { StatementSearch } from './search.ts';

/** The resource is the balance: whatever changes it adds a row here. */
export function transactionsQuery(
  { view, type, flow, search, from, to, page = 1 }: StatementSearch,
  timeZone: TimeZone,
) {
  const slice = { ...periodQuery({ from, to }), timeZone, page };
  const query = { type, flow, search, ...slice };
  return queryOptions({
    queryKey: ['balance', 'transactions', view, query],
    queryFn: () =>
      view
        ? call('GET /v1/statement', { query: { view, ...slice } })
        : call('GET /v1/transactions', { query }),
    placeholderData: keepPreviousData,
  });
}
