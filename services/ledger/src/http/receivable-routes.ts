import { api, receivableColumns, receivableDayColumns } from '@plataforma/contracts';
import { readPages } from '@plataforma/data';
import { pageOf, type Router, serve, serveCsv } from '@plataforma/http';
import type { LedgerDependencies } from '../dependencies.ts';
import { listReceivables, readReceivableDays } from '../store/receivable-lists.ts';

export function receivableRoutes(router: Router, { verifier, reads }: LedgerDependencies): void {
  serveCsv(router, api.listReceivables, {
    verifier,
    columns: receivableDayColumns,
    name: 'receivables',
    async *batches(query, merchant) {
      yield await readReceivableDays(reads, merchant, query);
    },
    rowOf: (day) => day,
  });
  serve(router, api.listReceivables, {
    verifier,
    answer: async ({ query }, merchant) => {
      const days = await readReceivableDays(reads, merchant, query);
      const totalAmount = days.reduce((total, { amount }) => total + amount, 0);
      return { data: { timeZone: query.timeZone, totalAmount, days } };
    },
  });
  serveCsv(router, api.listReceivableItems, {
    verifier,
    columns: receivableColumns,
    name: 'receivable-items',
    batches: (query, merchant) =>
      readPages((slice) => listReceivables(reads, merchant, { ...query, ...slice })),
    // A TAKEN receivable has no settlement time, because its money was refunded or disputed and never becomes
    // available.
    rowOf: (item) => ({ ...item, settlesAt: item.status === 'TAKEN' ? null : item.settlesAt }),
  });
  serve(router, api.listReceivableItems, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listReceivables(reads, merchant, query), query, (item) => item),
  });
}
