import {
  type Database,
  demandService,
  type Router,
  readBody,
  type Verifier,
  validate,
} from '@plataforma/chassis';
import { environments, isUuid, MAX_AMOUNT, Refusal } from '@plataforma/kernel';
import { z } from 'zod';
import type { RefundOrder } from '../operations/refund-charge.ts';
import { entryExists, findPayments } from '../store/payments.ts';

interface Parts {
  verifier: Verifier;
  database: Database;
  refundCharge: (order: RefundOrder) => Promise<void>;
}

/** As the database writes ids, so that one id has one spelling. */
const id = z.uuid().toLowerCase();
const amount = z.int().positive().max(MAX_AMOUNT);

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
    }),
  })
  .refine((refund) => refund.amount <= refund.charge.amount, {
    path: ['amount'],
    message: 'must be at most the amount of the charge',
  })
  .refine(({ charge }) => charge.netAmount === charge.amount - charge.feeAmount, {
    path: ['charge', 'netAmount'],
    message: 'must be what the fee leaves of the amount',
  });

const paymentsQuery = z.strictObject({
  environment: z.enum(environments),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  after: z.string().refine(isUuid, 'must be the id of an entry').optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});

/** What the charges service alone may ask. */
export function internalRoutes(router: Router, { verifier, database, refundCharge }: Parts): void {
  router.post('/internal/refunds', readBody(), async (req, res) => {
    demandService(req, verifier, 'charges');
    const order = orderOf(validate(refundBody, req.body ?? {}));
    await refundCharge(order);
    res.json({ success: true, data: { id: order.refund.reference } });
  });

  router.get('/internal/payments', async (req, res) => {
    demandService(req, verifier, 'charges');
    const { after = null, limit, ...period } = validate(paymentsQuery, req.query);
    if (after !== null && !(await entryExists(database, after))) {
      throw new Refusal('invalid', 'VALIDATION_ERROR', 'after: names no entry');
    }
    const payments = await findPayments(database, period, { after, limit });
    const last = payments.length === limit ? payments.at(-1) : undefined;
    res.json({ success: true, data: payments, next: last?.id ?? null });
  });
}

function orderOf({
  id,
  merchantId,
  environment,
  occurredAt,
  ...refund
}: z.infer<typeof refundBody>): RefundOrder {
  const { charge } = refund;
  const owner = { merchantId, environment };
  const { externalId, paymentMethod: method } = charge;
  return {
    paid: {
      kind: 'charge_paid',
      ...owner,
      reference: charge.id,
      occurredAt: charge.paidAt,
      method,
      amount: charge.amount,
      fee: charge.feeAmount,
      externalId,
      settlesAt: charge.settlesAt,
    },
    refund: {
      kind: 'refund',
      ...owner,
      reference: id,
      occurredAt,
      chargeId: charge.id,
      method,
      amount: refund.amount,
      externalId,
    },
  };
}
