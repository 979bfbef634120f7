import { z } from 'zod';
import { cents, count, id, metadata, nullableText, oneOf, pixKeyTypes, timestamp } from '../fields.ts';
import { scopes } from '../forms/new-api-key.ts';
import type { webhookEventTypes } from '../forms/webhook-configuration.ts';
import { paymentMethods, refundFailureReasons, returned } from '../merchants/charge-view.ts';
import { disputeResult } from '../merchants/disputes.ts';
import { unexpectedPayment } from '../merchants/unexpected-payments.ts';
import { bankAccount, failureReasons } from '../merchants/withdrawals.ts';

const test = {
  isTest: z.literal(true).optional().meta({ description: 'You asked for it: nothing has happened.' }),
};

const checkout = {
  paymentLinkId: id.optional().meta({ description: 'Of a charge that a payment link has made.' }),
  checkoutId: id.optional().meta({ description: 'The buyer’s visit to that link.' }),
};

const AGE = 'missing in events from before version 0.7.';

const ofCard = nullableText.optional().meta({ description: `As in GET /v1/charges/{id}; ${AGE}` });

/** Names of a charge's payment, in its own events and in those of its disputes. */
const payment = {
  paymentMethod: z
    .enum(paymentMethods)
    .optional()
    .meta({ description: `Of the charge; ${AGE}` }),
  endToEndId: nullableText
    .optional()
    .meta({ description: `Of the Pix that paid it; null until then and of a card; ${AGE}` }),
  installments: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .meta({ description: `Of a card; null of a Pix; ${AGE}` }),
  cardBrand: ofCard,
  nsu: ofCard,
  authorizationCode: ofCard,
  acquirerId: ofCard,
};

const charge = {
  ...test,
  id,
  txid: z.string(),
  amount: cents,
  netAmount: cents,
  feeAmount: cents,
  metadata: metadata.default({}).meta({ description: 'What you sent with the charge.' }),
  ...payment,
  ...checkout,
};

const chargeIn = <Status extends string, PaidAt extends z.ZodType>(status: Status, paidAt: PaidAt) => ({
  ...charge,
  status: z.literal(status),
  paidAt,
  externalId: z.string(),
});

const withdrawal = {
  ...test,
  id,
  amount: cents,
  fee: cents,
  netAmount: cents,
  pixKey: nullableText.meta({ description: 'Null: to a bank account.' }),
  pixKeyType: oneOf(pixKeyTypes).nullable(),
  bankAccount: bankAccount.nullable().default(null).meta({ description: 'Where a TED went.' }),
  externalId: nullableText.default(null).meta({ description: 'Your own id of it.' }),
  method: z
    .enum(['PIX', 'TED'])
    .optional()
    .meta({ description: `How it is paid; ${AGE}` }),
};

const unpaid = { providerTxId: z.null(), createdAt: timestamp };

const dispute = {
  ...test,
  ...payment,
  externalId: z
    .string()
    .optional()
    .meta({ description: `Your own id of the charge; ${AGE}` }),
  metadata: metadata.optional().meta({ description: `What you sent with the charge; ${AGE}` }),
  id,
  chargeId: id,
  amount: cents,
  reason: z.string(),
  description: z.string(),
};

const ofCheckout = {
  ...test,
  id: id.meta({ description: 'Of the visit, which charges name as `checkoutId`.' }),
  paymentLinkId: id,
  slug: z.string().meta({ description: 'Names the payment link in its address.' }),
  amount: cents,
  externalId: z.string().meta({ description: 'Of every charge that the visit makes.' }),
};

/** The `data` of each event a merchant receives, the promised fields and what was added to them. */
export const webhookEvents = {
  'charge.created': z.object({
    ...chargeIn('PENDING', z.null()),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
  }),
  'charge.cancelled': z.object(chargeIn('CANCELLED', z.null())),
  'charge.paid': z.object(chargeIn('PAID', timestamp)),
  'charge.refunded': z.object({
    ...charge,
    status: z.literal('REFUNDED'),
    paidAt: timestamp,
    refundedAmount: cents,
    refundReason: nullableText,
    externalId: z.string(),
    refund: z
      .object({
        id,
        amount: cents,
        reason: nullableText,
        status: z.literal('REFUNDED'),
        requestedAt: timestamp,
        refundedAt: timestamp,
        endToEndId: returned.shape.endToEndId.optional(),
      })
      .optional()
      .meta({ description: 'The refund that did it; missing in events from before version 0.7.' }),
  }),
  'charge.refund_failed': z.object({
    ...chargeIn('PAID', timestamp),
    refund: z.object({
      id,
      amount: cents.meta({ description: 'It is in the balance again.' }),
      reason: nullableText,
      status: z.literal('FAILED'),
      requestedAt: timestamp,
      failedAt: timestamp,
      failureReason: oneOf(refundFailureReasons),
    }),
  }),
  'charge.expired': z.object(chargeIn('EXPIRED', z.null())),
  'checkout.completed': z.object({
    ...ofCheckout,
    status: z.literal('COMPLETED'),
    chargeId: id,
    paymentMethod: z.enum(paymentMethods),
    metadata: metadata.meta({ description: 'Of the charge.' }),
    paidAt: timestamp,
  }),
  'checkout.expired': z.object({
    ...ofCheckout,
    status: z.literal('EXPIRED'),
    cause: z.enum(['TIME_OVER', 'LINK_EXPIRED', 'LINK_USED_UP']).meta({
      description:
        'TIME_OVER: not paid within 24 hours. LINK_EXPIRED, LINK_USED_UP: its payment link takes no payment any more.',
    }),
    chargeId: id
      .nullable()
      .meta({ description: 'Of its latest charge, which was not paid; null: it made none.' }),
    expiredAt: timestamp,
  }),
  'refund.created': z.object({
    ...test,
    id: id.meta({ description: 'As in GET /v1/refunds/{id}, which says how it ends.' }),
    chargeId: id,
    status: z.literal('PROCESSING'),
    paymentMethod: z.enum(paymentMethods),
    amount: cents,
    reason: nullableText,
    externalId: z.string().meta({ description: 'Your own id of the charge.' }),
    metadata: metadata.meta({ description: 'What you sent with the charge.' }),
    requestedAt: timestamp,
  }),
  'dispute.opened': z.object({
    ...dispute,
    status: z.literal('OPEN'),
    deadline: timestamp,
    createdAt: timestamp,
  }),
  'dispute.updated': z.object({
    ...dispute,
    status: z.enum(['OPEN', 'UNDER_REVIEW']),
    deadline: timestamp,
    createdAt: timestamp,
    evidenceSentAt: timestamp.nullable().meta({
      description: 'When you sent evidence; null: the provider changed the reason or the deadline.',
    }),
  }),
  'dispute.resolved': z.object({
    ...dispute,
    status: z.enum(['RESOLVED_MERCHANT', 'RESOLVED_CUSTOMER', 'CANCELLED']),
    deadline: timestamp,
    createdAt: timestamp,
    resolvedAt: timestamp,
    resolution: z.string(),
    refundedAmount: disputeResult.refundedAmount.optional(),
    debt: disputeResult.debt.optional(),
  }),
  'payment.unexpected': z.object({
    ...test,
    ...unexpectedPayment.shape,
    returnEndToEndId: unexpectedPayment.shape.returnEndToEndId.optional(),
    ...checkout,
  }),
  'withdrawal.created': z.object({
    ...withdrawal,
    status: z.literal('PENDING'),
    ...unpaid,
  }),
  'withdrawal.approved': z.object({
    ...withdrawal,
    status: z.literal('APPROVED'),
    ...unpaid,
  }),
  'withdrawal.processing': z.object({
    ...withdrawal,
    status: z.literal('PROCESSING'),
    ...unpaid,
    startedAt: timestamp.meta({ description: 'When its payment began.' }),
  }),
  'withdrawal.completed': z.object({
    ...withdrawal,
    status: z.literal('COMPLETED'),
    providerTxId: z.string(),
    endToEndId: nullableText.optional().meta({ description: `Of the Pix; null of a TED; ${AGE}` }),
    createdAt: timestamp,
  }),
  'withdrawal.failed': z.object({
    ...withdrawal,
    status: z.literal('FAILED'),
    ...unpaid,
    failureReason: oneOf(failureReasons),
  }),
  'withdrawal.rejected': z.object({
    ...withdrawal,
    status: z.literal('REJECTED'),
    ...unpaid,
    rejectedAt: timestamp,
    rejectedReason: z.string(),
  }),
  'receivable.settled': z.object({
    ...test,
    id: id.meta({ description: 'Of this day and payment method.' }),
    date: z.iso.date().meta({
      description:
        'The day of `settlesAt` in `timeZone`, which is over. `GET /v1/receivables` with `status=SETTLED` ' +
        'and this `timeZone` has the same count and amount for it. If more of the day settles later, the event comes again ' +
        'with the same `id` and the new sum.',
    }),
    timeZone: z.literal('America/Sao_Paulo'),
    paymentMethod: z.enum(paymentMethods),
    count: count.min(1).meta({ description: 'Of the charges.' }),
    amount: cents.meta({ description: 'Cents of that day that became available.' }),
  }),
  'webhook.failing': z.object({
    ...test,
    id: id.meta({ description: 'Of the webhook, the same as `webhookId`.' }),
    webhookId: id.meta({ description: 'The webhook that fails.' }),
    url: z.string().meta({ description: 'Its URL, without the query, which may hold a secret.' }),
    since: timestamp.meta({ description: 'When the first request without a 2xx since the last 2xx began.' }),
    failuresInARow: count.min(1).meta({ description: 'Requests without a 2xx since the last 2xx.' }),
    lastError: z.string().meta({
      description: 'Why the last request had no answer, or its status.',
      examples: ['connection_failed', 'HTTP 503'],
    }),
  }),
  'api_key.expiring': z.object({
    ...test,
    id: id.meta({ description: 'Of the API key.' }),
    name: z.string(),
    maskedKey: z.string().meta({ description: 'The key as lists show it.' }),
    scopes: z.array(z.enum(scopes)),
    expiresAt: timestamp.meta({ description: 'The key is refused from then on.' }),
  }),
  'webhook.test': z.object({
    ...test,
    id: id.meta({ description: 'Of the configuration that is tested.' }),
    message: z.string(),
  }),
} satisfies Record<(typeof webhookEventTypes)[number] | 'webhook.test', z.ZodObject>;

/** The `data` of an event. */
export type WebhookData = { [E in keyof typeof webhookEvents]: z.infer<(typeof webhookEvents)[E]> };
