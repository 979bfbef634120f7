import type { TimeZone } from '@plataforma/kernel';
import { periodQuery } from '../../parts/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { listQuery } from '../lists/list-query.ts';
import type { StatementSearch } from '../searches.ts';

/** The resource is the balance: whatever changes it adds a row here. */
export function transactionsQuery(
  { view, type, flow, search, from, to, page = 1 }: StatementSearch,
  timeZone: TimeZone,
) {
  const slice = { ...periodQuery({ from, to }), timeZone, page };
  const query = { type, flow, search, ...slice };
  return listQuery({
    key: ['balance', 'transactions', view, query],
    read: () =>
      view
        ? call('GET /v1/statement', { query: { view, ...slice } })
        : call('GET /v1/transactions', { query }),
  });
}
