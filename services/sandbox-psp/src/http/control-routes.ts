import type { Database } from '@plataforma/data';
import { validate } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { IRouter } from 'express';
import { z } from 'zod';
import { isTxid } from '../domain/charge.ts';
import type { Client, Clients } from '../domain/client.ts';
import { infractionReasons } from '../domain/infraction.ts';
import { MAX_PIX_AMOUNT, type Payment, pixOf } from '../domain/payment.ts';
import { devolucaoOf } from '../domain/refund.ts';
import { disputePayment } from '../operations/dispute-payment.ts';
import { payCharge } from '../operations/pay-charge.ts';
import { payKey } from '../operations/pay-key.ts';
import { refuseRefunds } from '../operations/refuse-refunds.ts';
import { takePaymentBack } from '../operations/take-payment-back.ts';
import { text } from './fields.ts';

const amount = z.int().min(1).max(MAX_PIX_AMOUNT);
const notify = z.boolean().default(true);

/** By how much the time of the charge's merchant is ahead of the real one, which it has moved. */
const aheadMs = z
  .int()
  .min(0)
  .max(5 * 366 * 86_400_000)
  .default(0);

const payBody = z.strictObject({
  amount: amount.optional(),
  times: z.int().min(1).max(100).default(1),
  notify,
  /** The same order again finds its payments made. */
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
  /** Names one of several payments; the first one, when left out. */
  endToEndId: text(32).optional(),
  reason: z.enum(infractionReasons).default('FRAUD'),
  amount: amount.optional(),
  description: text(2_000).optional(),
  /** The infraction’s id; the same order again finds it reported. */
  orderId: z.uuid().optional(),
  aheadMs,
});

const takeBackBody = z.strictObject({
  /** Names one of several payments; the first one, when left out. */
  endToEndId: text(32).optional(),
  /** The same order again finds the money returned. */
  orderId: z.uuid(),
  amount,
  reason: z.enum(infractionReasons).default('FRAUD'),
});
const natureOf = { FRAUD: 'MED_FRAUDE', OPERATIONAL_FLAW: 'MED_OPERACIONAL' } as const;

const nothing = z.strictObject({});

/** The payers' side of Pix: for the platform's tests and its sandbox, never for the outside. */
export function controlRoutes(
  router: IRouter,
  { database, clients }: { database: Database; clients: Clients },
): void {
  router.post('/control/pix/pay', async (req, res) => {
    const { pixKey, txid = null, notify: isNotified, ...body } = validate(payKeyBody, req.body ?? {});
    const client = clientOfKey(pixKey, clients);
    const order = { client, txid, amount: body.amount, isNotified, now: new Date() };
    res.json({ payments: [paidView(await payKey(database, order))] });
  });

  router.post('/control/pix/:txid/pay', async (req, res) => {
    const {
      amount: paid,
      times,
      notify: isNotified,
      orderId = null,
      ...at
    } = validate(payBody, req.body ?? {});
    const txid = knownTxid(req.params.txid);
    const order = { txid, orderId, amount: paid, times, isNotified, now: timeOf(at) };
    const payments = await payCharge(database, order);
    res.json({ payments: payments.map(paidView) });
  });

  router.post('/control/pix/:txid/refuse-refunds', async (req, res) => {
    validate(nothing, req.body ?? {});
    await refuseRefunds(database, knownTxid(req.params.txid));
    res.json({ refusesRefunds: true });
  });

  router.post('/control/pix/:txid/dispute', async (req, res) => {
    const { amount: disputed, aheadMs: ahead, ...report } = validate(disputeBody, req.body ?? {});
    const txid = knownTxid(req.params.txid);
    const dispute = {
      txid,
      endToEndId: undefined,
      orderId: undefined,
      description: undefined,
      ...report,
      amount: disputed,
      now: timeOf({ aheadMs: ahead }),
    };
    res.json({ idInfracao: (await disputePayment(database, dispute)).id });
  });

  router.post('/control/pix/:txid/take-back', async (req, res) => {
    const { reason, endToEndId, ...rest } = validate(takeBackBody, req.body ?? {});
    const txid = knownTxid(req.params.txid);
    const order = { ...rest, txid, endToEndId, nature: natureOf[reason], now: new Date() };
    res.json(devolucaoOf(await takePaymentBack(database, order)));
  });
}

function paidView(payment: Payment) {
  const { endToEndId, valor, horario } = pixOf(payment);
  return { endToEndId, valor, horario };
}

function timeOf({ aheadMs }: { aheadMs: number }): Date {
  return new Date(Date.now() + aheadMs);
}

/** Text that can name no charge finds none. */
function knownTxid(txid: string): string {
  if (isTxid(txid)) return txid;
  throw new Refusal('missing', 'NOT_FOUND', 'there is no charge with this txid');
}

function clientOfKey(pixKey: string, clients: Clients): Client {
  const client = [...clients.values()].find((it) => it.pixKey === pixKey);
  if (!client) throw new Refusal('missing', 'NOT_FOUND', 'no receiver has this key');
  return client;
}
