import type { Database } from '@plataforma/chassis';
import type { IRouter, Request } from 'express';
import { z } from 'zod';
import type { Clients } from '../domain/client.ts';
import { isEndToEndId, pixOf } from '../domain/payment.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { findPayment, listPayments } from '../store/payments.ts';
import { inSnapshot } from '../store/snapshot.ts';
import { clientOf } from './authenticate.ts';
import { checked } from './checked.ts';
import { underFaults } from './under-faults.ts';

const moment = z.iso.datetime({ offset: true, abort: true }).transform((text) => new Date(text));
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);

const periodQuery = z
  .strictObject({
    inicio: moment,
    fim: moment,
    txid: z
      .string()
      .regex(/^[a-zA-Z0-9]{1,35}$/)
      .optional(),
    'paginacao.paginaAtual': wholeNumber.optional(),
    'paginacao.itensPorPagina': wholeNumber.pipe(z.int().min(1).max(1_000)).optional(),
  })
  .refine(({ inicio, fim }) => inicio <= fim, { message: 'é anterior a inicio', path: ['fim'] });

const DEFAULT_PAGE_SIZE = 100;

/** API Pix 2.9.0, tag Pix. */
export function paymentRoutes(
  router: IRouter,
  { database, clients }: { database: Database; clients: Clients },
): void {
  router.get(
    '/v2/pix',
    underFaults(database, 'pix.read', async (req: Request) => {
      const { id: clientId } = clientOf(req, clients);
      const { inicio, fim, txid, ...paging } = checked(periodQuery, req.query, 'PixConsultaInvalida');
      const index = paging['paginacao.paginaAtual'] ?? 0;
      const size = paging['paginacao.itensPorPagina'] ?? DEFAULT_PAGE_SIZE;
      const filter = { clientId, from: inicio, to: fim, txid };
      const { payments, total } = await inSnapshot(database, (tx) =>
        listPayments(tx, filter, { index, size }),
      );
      const paginacao = {
        paginaAtual: index,
        itensPorPagina: size,
        quantidadeDePaginas: Math.max(1, Math.ceil(total / size)),
        quantidadeTotalDeItens: total,
      };
      return {
        status: 200,
        body: { parametros: { inicio, fim, txid, paginacao }, pix: payments.map(pixOf) },
      };
    }),
  );

  router.get(
    '/v2/pix/:e2eid',
    underFaults(database, 'pix.read', async (req: Request<{ e2eid: string }>) => {
      const client = clientOf(req, clients);
      const { e2eid } = req.params;
      const payment = isEndToEndId(e2eid) ? await findPayment(database, client.id, e2eid) : undefined;
      if (!payment) throw new PixProblem('PixNaoEncontrado');
      return { status: 200, body: pixOf(payment) };
    }),
  );
}
