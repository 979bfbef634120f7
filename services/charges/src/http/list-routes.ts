import { api } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { pageOf, type Router, serve, type Verifier } from '@plataforma/http';
import { listRefunds, listUnexpectedPayments } from '../store/own-lists.ts';
import { refundView } from './charge-view.ts';
import { unexpectedPaymentView } from './views.ts';

/** A merchant's lists of what went back, whichever charge it was for. */
export function listRoutes(
  router: Router,
  { verifier, reads }: { verifier: Verifier; reads: Queryable },
): void {
  serve(router, api.listRefunds, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listRefunds(reads, merchant, query), query, refundView),
  });
  serve(router, api.listUnexpectedPayments, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listUnexpectedPayments(reads, merchant, query), query, unexpectedPaymentView),
  });
}
