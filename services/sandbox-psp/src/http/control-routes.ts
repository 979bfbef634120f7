import { type Database, readBody, validate } from '@plataforma/chassis';
import { Refusal, toDecimal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { z } from 'zod';
import { type Charge, isTxid } from '../domain/charge.ts';
import { MAX_PIX_AMOUNT, pixOf } from '../domain/payment.ts';
import { payCharge } from '../operations/pay-charge.ts';
import { listAllCharges } from '../store/charges.ts';
import { inSnapshot } from '../store/snapshot.ts';
import { listAllPayments } from '../store/truth.ts';

const payBody = z.strictObject({
  amount: z.int().min(1).max(MAX_PIX_AMOUNT).optional(),
  times: z.int().min(1).max(100).default(1),
  notify: z.boolean().default(true),
});

/** The payers' side and the whole truth: for the platform's tests and its sandbox, never for the outside. */
export function controlRoutes(router: IRouter, database: Database): void {
  router.use('/control', readBody());

  router.post('/control/pix/:txid/pay', async (req, res) => {
    const { amount, times, notify } = validate(payBody, req.body ?? {});
    const { txid } = req.params;
    if (!isTxid(txid)) throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this txid');
    const payments = await payCharge(database, { txid, amount, times, isNotified: notify, now: new Date() });
    const views = payments
      .map(pixOf)
      .map(({ endToEndId, valor, horario }) => ({ endToEndId, valor, horario }));
    res.json({ payments: views });
  });

  router.get('/control/truth', async (_req, res) => {
    const { charges, payments } = await inSnapshot(database, async (tx) => ({
      charges: await listAllCharges(tx),
      payments: await listAllPayments(tx),
    }));
    res.json({
      charges: charges.map(truthOfCharge),
      payments: payments.map(({ payment, callback }) => ({
        clientId: payment.clientId,
        ...pixOf(payment),
        callback,
      })),
    });
  });
}

function truthOfCharge({ clientId, txid, status, revision: revisao, createdAt, terms }: Charge) {
  return {
    clientId,
    txid,
    status,
    revisao,
    calendario: { criacao: createdAt.toISOString(), expiracao: terms.expiresInSeconds },
    valor: { original: toDecimal(terms.amount) },
    chave: terms.pixKey,
  };
}
