import { validate } from '@plataforma/http';
import { MAX_AMOUNT, Refusal } from '@plataforma/kernel';
import type { IRouter, Request } from 'express';
import { z } from 'zod';
import type { SandboxPspDependencies } from '../dependencies.ts';
import { cardChargeOf } from '../domain/card-view.ts';
import { isTxid } from '../domain/charge.ts';
import type { Client, Clients } from '../domain/client.ts';
import { infractionReasons } from '../domain/infraction.ts';
import { MAX_PIX_AMOUNT, type Payment, pixOf } from '../domain/payment.ts';
import { isPayoutId, orderedEnds } from '../domain/payout.ts';
import { devolucaoOf } from '../domain/refund.ts';
import { chargeCardBack, refuseCardRefunds, undoCardChargeback } from '../operations/change-paid-card.ts';
import { disputePayment } from '../operations/dispute-payment.ts';
import { endPayoutAs } from '../operations/end-payout.ts';
import { payCharge } from '../operations/pay-charge.ts';
import { payKey } from '../operations/pay-key.ts';
import { refuseRefunds } from '../operations/refuse-refunds.ts';
import { takePaymentBack } from '../operations/take-payment-back.ts';
import { text } from './fields.ts';

const amount = z.int().min(1).max(MAX_PIX_AMOUNT);
const notify = z.boolean().default(true);

/** Milliseconds by which the merchant's sandbox clock is ahead of real time. */
const aheadMs = z
  .int()
  .min(0)
  .max(5 * 366 * 86_400_000)
  .default(0);

const payBody = z.strictObject({
  amount: amount.optional(),
  times: z.int().min(1).max(100).default(1),
  notify,
  /**
   * The id of the payer's order. A repeated order with the same id returns the payments of the first order.
   */
  orderId: z.uuid().optional(),
  aheadMs,
});

const payKeyBody = z.strictObject({
  pixKey: z.string().min(1).max(77),
  amount,
  txid: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/)
    .optional(),
  notify,
});

const disputeBody = z.strictObject({
  /** The payment to dispute, if the charge has several payments. The default is the first payment. */
  endToEndId: text(32).optional(),
  reason: z.enum(infractionReasons).default('FRAUD'),
  amount: amount.optional(),
  description: text(2_000).optional(),
  /** The id of the new infraction. A repeated order with the same id returns the same infraction. */
  orderId: z.uuid().optional(),
  aheadMs,
});

const takeBackBody = z.strictObject({
  /** The payment to return, if the charge has several payments. The default is the first payment. */
  endToEndId: text(32).optional(),
  /** The id of the order. A repeated order with the same id returns the same refund. */
  orderId: z.uuid(),
  amount,
  reason: z.enum(infractionReasons).default('FRAUD'),
});
const natureOf = { FRAUD: 'MED_FRAUDE', OPERATIONAL_FLAW: 'MED_OPERACIONAL' } as const;

const chargebackBody = z.strictObject({
  amount: z.int().min(1).max(MAX_AMOUNT).optional(),
  reason: text(140).default('fraud'),
});

const endBody = z.strictObject({ end: z.enum(orderedEnds) });
const nothing = z.strictObject({});

/**
 * Adds the routes that act as payers, card holders and banks. Only the platform's sandbox and tests may call
 * these routes.
 */
export function controlRoutes(router: IRouter, dependencies: SandboxPspDependencies): void {
  const { database } = dependencies;
  payerRoutes(router, dependencies);

  post(router, 'pix/:id/dispute', disputeBody, async ({ aheadMs: ahead, ...report }, id) => {
    const { endToEndId, orderId, amount: disputed, description } = report;
    const named = { txid: requireTxid(id), endToEndId, orderId, amount: disputed, description };
    const dispute = { ...named, reason: report.reason, now: timeOf(ahead) };
    return { idInfracao: (await disputePayment(database, dispute)).id };
  });

  post(router, 'pix/:id/take-back', takeBackBody, async ({ reason, endToEndId, ...rest }, id) => {
    const txid = requireTxid(id);
    const order = { ...rest, txid, endToEndId, nature: natureOf[reason], now: new Date() };
    return devolucaoOf(await takePaymentBack(database, order));
  });

  post(router, 'cards/:id/chargeback', chargebackBody, async ({ amount: disputed, reason }, code) =>
    cardChargeOf(await chargeCardBack(database, code, { amount: disputed, reason, now: new Date() })),
  );

  post(router, 'cards/:id/undo-chargeback', nothing, async (_body, code) =>
    cardChargeOf(await undoCardChargeback(database, code)),
  );

  post(router, 'cards/:id/refuse-refunds', nothing, async (_body, code) => {
    await refuseCardRefunds(database, code);
    return { refusesRefunds: true };
  });

  post(router, 'payouts/:id/end', endBody, async ({ end }, idEnvio) => {
    if (!isPayoutId(idEnvio)) throw new Refusal('missing', 'NOT_FOUND', 'no payout can have this id');
    await endPayoutAs(database, idEnvio, end);
    return { idEnvio, end };
  });
}

function payerRoutes(router: IRouter, { database, clients }: SandboxPspDependencies): void {
  post(router, 'pix/pay', payKeyBody, async ({ pixKey, txid = null, notify: isNotified, ...body }) => {
    const client = clientOfKey(pixKey, clients);
    const order = { client, txid, amount: body.amount, isNotified, now: new Date() };
    return { payments: [paidView(await payKey(database, order))] };
  });

  post(router, 'pix/:id/pay', payBody, async (body, id) => {
    const { amount: paid, times, notify: isNotified, orderId = null } = body;
    const order = { txid: requireTxid(id), orderId, amount: paid, times, isNotified };
    const payments = await payCharge(database, { ...order, now: timeOf(body.aheadMs) });
    return { payments: payments.map(paidView) };
  });

  post(router, 'pix/:id/refuse-refunds', nothing, async (_body, id) => {
    await refuseRefunds(database, requireTxid(id));
    return { refusesRefunds: true };
  });
}

/**
 * Adds a POST route whose body must match the schema. The argument `id` of `answer` is the id in the path.
 */
function post<S extends z.ZodType>(
  router: IRouter,
  path: string,
  schema: S,
  answer: (body: z.infer<S>, id: string) => Promise<unknown>,
): void {
  router.post(`/control/${path}`, async (req: Request<{ id: string }>, res) => {
    res.json(await answer(validate(schema, req.body ?? {}), req.params.id));
  });
}

function paidView(payment: Payment) {
  const { endToEndId, valor, horario } = pixOf(payment);
  return { endToEndId, valor, horario };
}

function timeOf(ahead: number): Date {
  return new Date(Date.now() + ahead);
}

/** Throws NOT_FOUND if the text is not a valid txid, because no charge can have an invalid txid. */
function requireTxid(txid: string): string {
  if (isTxid(txid)) return txid;
  throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this txid');
}

function clientOfKey(pixKey: string, clients: Clients): Client {
  const client = [...clients.values()].find((it) => it.pixKey === pixKey);
  if (!client) throw new Refusal('missing', 'NOT_FOUND', 'no receiver has this key');
  return client;
}
