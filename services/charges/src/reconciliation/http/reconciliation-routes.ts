import { api, type ReconciliationView } from '@plataforma/contracts';
import { type Router, serveOperator, type Verifier } from '@plataforma/http';
import type { Totals } from '../domain/reconciliation.ts';
import { type CompareDay, reconcileDay } from '../operations/compare-day.ts';

export function reconciliationRoutes(router: Router, parts: CompareDay & { verifier: Verifier }): void {
  serveOperator(router, api.reconcile, {
    verifier: parts.verifier,
    answer: async ({ query }) => {
      const { totals, ...found } = await reconcileDay(parts, query);
      return { data: { ...query, ...found, totals: { PIX: sums(totals.PIX), CARD: sums(totals.CARD) } } };
    },
  });
}

function sums({ RECEIVED, RETURNED, LOST }: Totals['PIX']): ReconciliationView['totals']['PIX'] {
  return { received: RECEIVED, returned: RETURNED, lost: LOST };
}
