import { api } from '@plataforma/contracts';
import { type Router, serveOperator } from '@plataforma/http';
import type { ChargesParts } from '../../parts.ts';
import { reconcileDay } from '../operations/compare-day.ts';

export function reconciliationRoutes(router: Router, parts: ChargesParts): void {
  serveOperator(router, api.reconcile, {
    verifier: parts.verifier,
    answer: async ({ query }) => ({ data: { ...query, ...(await reconcileDay(parts, query)) } }),
  });
}
