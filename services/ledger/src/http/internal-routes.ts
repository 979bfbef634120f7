import {
  DECISION_HEADER,
  ORDER_HEADER,
  ORDERED_BODY_HEADER,
  type Router,
  readBody,
  requireService,
  validate,
} from '@plataforma/http';
import { environments, isUuid, MAX_AMOUNT, Refusal } from '@plataforma/kernel';
import { z } from 'zod';
import type { LedgerDependencies } from '../dependencies.ts';
import type { Order } from '../domain/fact.ts';
import { withdrawable } from '../domain/wallet.ts';
import { proveWallet } from '../operations/prove-wallet.ts';
import type { DebitRequest } from '../operations/take-debit.ts';
import { entryExists, findDisputeDebt, findPaid, findPayments } from '../store/payments.ts';
import { findWallet } from '../store/wallets.ts';
import { requireOrder } from './signed-orders.ts';

/** Converts an id to lower case, as the database returns it, so that one id has only one spelling. */
const id = z.uuid().toLowerCase();
const amount = z.int().positive().max(MAX_AMOUNT);

/** An id that the merchant's statement shows. Services of an older release do not send it. */
const ownName = z.string().min(1).nullable().default(null);

const refundBody = z
  .strictObject({
    id,
    merchantId: id,
    environment: z.enum(environments),
    amount,
    occurredAt: z.iso.datetime(),
    charge: z.strictObject({
      id,
      externalId: z.string().min(1),
      paymentMethod: z.enum(['PIX', 'CARD']),
      amount,
      feeAmount: z.int().nonnegative(),
      netAmount: z.int().nonnegative(),
      paidAt: z.iso.datetime(),
      settlesAt: z.iso.datetime().nullable(),
      endToEndId: ownName,
    }),
  })
  .refine((refund) => refund.amount <= refund.charge.amount, {
    path: ['amount'],
    message: 'must be at most the amount of the charge',
  })
  .refine(({ charge }) => charge.netAmount === charge.amount - charge.feeAmount, {
    path: ['charge', 'netAmount'],
    message: 'must be the amount less the fee',
  });

const withdrawalBody = z.strictObject({
  id,
  merchantId: id,
  environment: z.enum(environments),
  netAmount: amount,
  fee: z.int().nonnegative().max(MAX_AMOUNT),
  method: z.enum(['PIX', 'TED']),
  externalId: ownName,
  occurredAt: z.iso.datetime(),
});

/** `again=true` repeats a debit that was lost when the ledger's database was restored. */
const againQuery = z.strictObject({ again: z.literal('true').optional() });

const paymentsQuery = z.strictObject({
  environment: z.enum(environments),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  after: z.string().refine(isUuid, 'must be the id of an entry').optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});

const walletQuery = z.strictObject({ merchantId: id, environment: z.enum(environments) });
const refundableQuery = walletQuery.extend({ chargeId: id });
const disputeQuery = walletQuery.extend({ disputeId: id });

const proofQuery = z.strictObject({
  ...walletQuery.shape,
  withdrawalId: id,
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});

export function internalRoutes(
  router: Router,
  { verifier, database, takeDebit, orderVerifier }: LedgerDependencies,
): void {
  router.post('/internal/refunds', readBody(), async (req, res) => {
    const orderedBy = `service:${requireService(req, verifier, 'charges')}` as const;
    const request = validate(refundBody, req.body ?? {});
    await takeDebit(refundDebitOf(request, orderedBy));
    res.json({ success: true, data: { id: request.id } });
  });

  router.post('/internal/withdrawals', readBody(), async (req, res) => {
    const service = requireService(req, verifier, 'withdrawals');
    const { id: reference, ...fields } = validate(withdrawalBody, req.body ?? {});
    const { again } = validate(againQuery, req.query);
    const proof = { order: req.get(ORDER_HEADER), body: req.get(ORDERED_BODY_HEADER) };
    const decision = again && { decision: req.get(DECISION_HEADER) };
    const digest = requireOrder(orderVerifier, { ...proof, ...decision }, { id: reference, ...fields });
    const orderedBy = `service:${service}${digest && ` ${digest}`}` as const;
    const isAgain = again ? { isAgain: true as const } : {};
    await takeDebit([{ kind: 'withdrawal_created', reference, orderedBy, ...fields, ...isAgain }]);
    res.json({ success: true, data: { id: reference } });
  });

  router.get('/internal/withdrawable', async (req, res) => {
    requireService(req, verifier, 'withdrawals', 'charges');
    const wallet = await findWallet(database, validate(walletQuery, req.query));
    res.json({ success: true, data: { withdrawable: withdrawable(wallet) } });
  });

  router.get('/internal/refundable', async (req, res) => {
    requireService(req, verifier, 'charges');
    const { chargeId, ...tenant } = validate(refundableQuery, req.query);
    const paid = await findPaid(database, tenant, chargeId);
    const wallet = await findWallet(database, tenant);
    res.json({ success: true, data: { withdrawable: withdrawable(wallet), ...paid } });
  });

  router.get('/internal/dispute-debt', async (req, res) => {
    requireService(req, verifier, 'charges');
    const { disputeId, ...tenant } = validate(disputeQuery, req.query);
    res.json({ success: true, data: { debt: await findDisputeDebt(database, tenant, disputeId) } });
  });

  router.get('/internal/wallet-proof', async (req, res) => {
    requireService(req, verifier, 'withdrawals');
    const { merchantId, environment, ...question } = validate(proofQuery, req.query);
    res.json({ success: true, data: await proveWallet(database, { merchantId, environment }, question) });
  });

  router.get('/internal/payments', async (req, res) => {
    requireService(req, verifier, 'charges');
    const { after = null, limit, ...period } = validate(paymentsQuery, req.query);
    if (after !== null && !(await entryExists(database, after))) {
      throw new Refusal('invalid', 'VALIDATION_ERROR', 'after: names no entry');
    }
    const payments = await findPayments(database, period, { after, limit });
    const last = payments.length === limit ? payments.at(-1) : undefined;
    res.json({ success: true, data: payments, next: last?.id ?? null });
  });
}

function refundDebitOf({ charge, ...refund }: z.infer<typeof refundBody>, orderedBy: Order): DebitRequest {
  const { id: reference, occurredAt, amount, ...tenant } = refund;
  const owner = { ...tenant, orderedBy };
  const { id: chargeId, paymentMethod: method, externalId, feeAmount: fee, paidAt } = charge;
  const { settlesAt, endToEndId } = charge;
  const payment = {
    reference: chargeId,
    occurredAt: paidAt,
    amount: charge.amount,
    fee,
    settlesAt,
    endToEndId,
  };
  return [
    { kind: 'charge_paid', ...owner, ...payment, method, externalId },
    { kind: 'refund', ...owner, reference, occurredAt, chargeId, method, amount, externalId },
  ];
}
