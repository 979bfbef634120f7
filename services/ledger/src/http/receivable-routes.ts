import { api } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { pageOf, type Router, serve, type Verifier } from '@plataforma/http';
import { listReceivables, readReceivableDays } from '../store/receivable-lists.ts';

interface Parts {
  verifier: Verifier;
  reads: Queryable;
}

export function receivableRoutes(router: Router, { verifier, reads }: Parts): void {
  serve(router, api.listReceivables, {
    verifier,
    answer: async ({ query }, merchant) => {
      const days = await readReceivableDays(reads, merchant, query);
      const totalAmount = days.reduce((total, { amount }) => total + amount, 0);
      return { data: { timeZone: query.timeZone, totalAmount, days } };
    },
  });
  serve(router, api.listReceivableItems, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listReceivables(reads, merchant, query), query, (item) => item),
  });
}
