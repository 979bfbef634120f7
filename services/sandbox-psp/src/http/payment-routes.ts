import type { IRouter, Request } from 'express';
import { z } from 'zod';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { isEndToEndId, pixOf } from '../domain/payment.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { findPayment, listPayments } from '../store/payments.ts';
import { clientOf } from './authenticate.ts';
import { checked } from './checked.ts';
import { isInOrder, outOfOrder, pageOf, pagingView, periodQuery } from './period.ts';
import { underFaults } from './under-faults.ts';

const listQuery = periodQuery({
  txid: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/)
    .optional(),
}).refine(isInOrder, outOfOrder);

/** Adds the routes for received payments: API Pix 2.9.0, tag Pix. */
export function paymentRoutes(router: IRouter, { database, clients }: SandboxPspDependencies): void {
  const serve = underFaults({ database, clients }, clientOf);
  router.get(
    '/v2/pix',
    serve('pix.read', async (req: Request, { id: clientId }) => {
      const query = checked(listQuery, req.query, 'PixConsultaInvalida');
      const { inicio, fim, txid } = query;
      const page = pageOf(query);
      const filter = { clientId, from: inicio, to: fim, txid };
      const { payments, total } = await listPayments(database, filter, page);
      const paginacao = pagingView(page, total);
      return {
        status: 200,
        body: { parametros: { inicio, fim, txid, paginacao }, pix: payments.map(pixOf) },
      };
    }),
  );

  router.get(
    '/v2/pix/:e2eid',
    serve('pix.read', async (req: Request<{ e2eid: string }>, client) => {
      const { e2eid } = req.params;
      const payment = isEndToEndId(e2eid) ? await findPayment(database, client.id, e2eid) : undefined;
      if (!payment) throw new PixProblem('PixNaoEncontrado');
      return { status: 200, body: pixOf(payment) };
    }),
  );
}
