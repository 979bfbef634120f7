import { readBody } from '@plataforma/http';
import type { IRouter, Request } from 'express';
import { z } from 'zod';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { isEndToEndId } from '../domain/payment.ts';
import { PixProblem } from '../domain/pix-problem.ts';
import { devolucaoOf, isRefundId } from '../domain/refund.ts';
import { putRefund } from '../operations/put-refund.ts';
import { findPayment } from '../store/payments.ts';
import { clientOf } from './authenticate.ts';
import { checked } from './checked.ts';
import { decimal, text } from './fields.ts';
import { underFaults } from './under-faults.ts';

const PATH = '/v2/pix/:e2eid/devolucao/:id';
type Named = { e2eid: string; id: string };

const refundBody = z.strictObject({
  valor: decimal,
  natureza: z.literal('ORIGINAL').optional(),
  descricao: text(140).optional(),
});

/** Adds the routes for refunds: API Pix 2.9.0, tag Pix. */
export function refundRoutes(router: IRouter, { database, clients, config }: SandboxPspDependencies): void {
  const serve = underFaults({ database, clients }, clientOf);
  const { REFUND_SETTLEMENT_MS: delayMs } = config;
  router.use('/v2/pix', readBody());

  router.put(
    PATH,
    serve('pix.refund', async (req: Request<Named>, { id: clientId }) => {
      const { id } = req.params;
      if (!isRefundId(id)) throw wrongId();
      const { valor: amount, descricao: description = null } = checked(
        refundBody,
        req.body ?? {},
        'PixDevolucaoInvalida',
      );
      const endToEndId = requireEndToEndId(req.params.e2eid);
      const order = { clientId, endToEndId, id, amount, description, now: new Date(), delayMs };
      return { status: 201, body: devolucaoOf(await putRefund(database, order)) };
    }),
  );

  router.get(PATH, async (req, res) => {
    const { id: clientId } = clientOf(req, clients);
    const payment = await findPayment(database, clientId, requireEndToEndId(req.params.e2eid));
    if (!payment) throw new PixProblem('PixNaoEncontrado');
    const refund = payment.refunds.find(({ id }) => id === req.params.id);
    if (!refund) throw new PixProblem('PixDevolucaoNaoEncontrada');
    res.json(devolucaoOf(refund));
  });
}

/**
 * Throws PixNaoEncontrado if the text is not a valid end-to-end id, because no payment can have an invalid
 * id.
 */
function requireEndToEndId(text: string): string {
  if (isEndToEndId(text)) return text;
  throw new PixProblem('PixNaoEncontrado');
}

function wrongId(): PixProblem {
  const razao = 'O campo devolucao.id não respeita o schema.';
  return new PixProblem('PixDevolucaoInvalida', { violations: [{ razao, propriedade: 'devolucao.id' }] });
}
