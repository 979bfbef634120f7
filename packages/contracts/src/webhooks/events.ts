import { z } from 'zod';
import { timestamp } from '../days.ts';
import { cents, count, id, metadata, nullableText, oneOf, pixKeyTypes } from '../fields.ts';
import { scopes } from '../forms/new-api-key.ts';
import type { webhookEventTypes } from '../forms/webhook-configuration.ts';
import { paymentMethods, refundFailureReasons, returned } from '../merchants/charge-view.ts';
import { disputeResult } from '../merchants/disputes.ts';
import { unexpectedPayment } from '../merchants/unexpected-payments.ts';
import { bankAccount, failureReasons } from '../merchants/withdrawals.ts';

const test = {
  isTest: z
    .literal(true)
    .optional()
    .meta({ description: 'Marks a test that you requested. No object has changed.' }),
};

const checkout = {
  paymentLinkId: id.optional().meta({ description: 'Payment link that created the charge.' }),
  checkoutId: id.optional().meta({ description: 'Visit in which the buyer created the charge.' }),
};

const AGE = 'Absent in events before version 0.7.';

const ofCard = nullableText.optional().meta({ description: `Same value as in GET /v1/charges/{id}. ${AGE}` });

/** The payment fields that events of a charge and of its disputes contain. */
const payment = {
  paymentMethod: z
    .enum(paymentMethods)
    .optional()
    .meta({ description: `Payment method of the charge. ${AGE}` }),
  endToEndId: nullableText
    .optional()
    .meta({ description: `Number of the Pix that paid the charge. Null until then and for a card. ${AGE}` }),
  installments: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .meta({ description: `Number of installments of a card charge. Null for a Pix. ${AGE}` }),
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
  metadata: metadata.default({}).meta({ description: 'Metadata that you sent with the charge.' }),
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
  pixKey: nullableText.meta({ description: 'Null for a bank account.' }),
  pixKeyType: oneOf(pixKeyTypes).nullable(),
  bankAccount: bankAccount
    .nullable()
    .default(null)
    .meta({ description: 'Bank account that received a TED.' }),
  externalId: nullableText.default(null).meta({ description: 'Your own id of the withdrawal.' }),
  method: z
    .enum(['PIX', 'TED'])
    .optional()
    .meta({ description: `Payment method of the withdrawal. ${AGE}` }),
};

const unpaid = { providerTxId: z.null(), createdAt: timestamp };

const dispute = {
  ...test,
  ...payment,
  externalId: z
    .string()
    .optional()
    .meta({ description: `Your own id of the charge. ${AGE}` }),
  metadata: metadata.optional().meta({ description: `Metadata that you sent with the charge. ${AGE}` }),
  id,
  chargeId: id,
  amount: cents,
  reason: z.string(),
  description: z.string(),
};

const ofCheckout = {
  ...test,
  id: id.meta({ description: 'Id of the visit, which charges name as `checkoutId`.' }),
  paymentLinkId: id,
  slug: z.string().meta({ description: 'Name of the payment link in its address.' }),
  amount: cents,
  externalId: z.string().meta({ description: 'Order number of every charge that the visit creates.' }),
};

/** The `data` of each event that merchants receive. */
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
      .meta({ description: 'Refund that caused the event. Absent in events before version 0.7.' }),
  }),
  'charge.refund_failed': z.object({
    ...chargeIn('PAID', timestamp),
    refund: z.object({
      id,
      amount: cents.meta({ description: 'The amount is in the balance again.' }),
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
    metadata: metadata.meta({ description: 'Value of the same field of the charge.' }),
    paidAt: timestamp,
  }),
  'checkout.expired': z.object({
    ...ofCheckout,
    status: z.literal('EXPIRED'),
    cause: z.enum(['TIME_OVER', 'LINK_EXPIRED', 'LINK_USED_UP']).meta({
      description:
        'TIME_OVER: the visit was not paid within 24 hours. LINK_EXPIRED, LINK_USED_UP: the payment link ' +
        'accepts no further payments.',
    }),
    chargeId: id.nullable().meta({
      description:
        'Id of the latest charge, which was not paid. Null means that the visit created no charge.',
    }),
    expiredAt: timestamp,
  }),
  'refund.created': z.object({
    ...test,
    id: id.meta({ description: 'Same value as in GET /v1/refunds/{id}, which reports the outcome.' }),
    chargeId: id,
    status: z.literal('PROCESSING'),
    paymentMethod: z.enum(paymentMethods),
    amount: cents,
    reason: nullableText,
    externalId: z.string().meta({ description: 'Your own id of the charge.' }),
    metadata: metadata.meta({ description: 'Metadata that you sent with the charge.' }),
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
      description:
        'Time at which you sent evidence. Null means that the provider changed the reason or the deadline.',
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
    startedAt: timestamp.meta({ description: 'Time at which the payment of the withdrawal began.' }),
  }),
  'withdrawal.completed': z.object({
    ...withdrawal,
    status: z.literal('COMPLETED'),
    providerTxId: z.string(),
    endToEndId: nullableText
      .optional()
      .meta({ description: `End-to-end id of the Pix. Null for a TED. ${AGE}` }),
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
    id: id.meta({ description: 'Id of this day and payment method.' }),
    date: z.iso.date().meta({
      description:
        'Day of `settlesAt` in `timeZone`, in the past. `GET /v1/receivables` with `status=SETTLED` and ' +
        'this `timeZone` returns the same count and amount for it. If more money of the day settles ' +
        'later, the event is sent again with the same `id` and the new sum.',
    }),
    timeZone: z.literal('America/Sao_Paulo'),
    paymentMethod: z.enum(paymentMethods),
    count: count.min(1).meta({ description: 'Number of charges.' }),
    amount: cents.meta({ description: 'Cents of that day that became available.' }),
  }),
  'webhook.failing': z.object({
    ...test,
    id: id.meta({ description: 'Id of the webhook, the same as `webhookId`.' }),
    webhookId: id.meta({ description: 'Id of the failing webhook.' }),
    url: z
      .string()
      .meta({ description: 'URL of the webhook without the query, which may contain a secret.' }),
    since: timestamp.meta({ description: 'Start of the first request without a 2xx since the last 2xx.' }),
    failuresInARow: count
      .min(1)
      .meta({ description: 'Number of requests without a 2xx since the last 2xx.' }),
    lastError: z.string().meta({
      description: 'Reason for the missing response to the last request, or its status.',
      examples: ['connection_failed', 'HTTP 503'],
    }),
  }),
  'api_key.expiring': z.object({
    ...test,
    id: id.meta({ description: 'Id of the API key.' }),
    name: z.string(),
    maskedKey: z.string().meta({ description: 'Masked form of the key, as in lists.' }),
    scopes: z.array(z.enum(scopes)),
    expiresAt: timestamp.meta({ description: 'Time from which the key is refused.' }),
  }),
  'webhook.test': z.object({
    ...test,
    id: id.meta({ description: 'Id of the tested configuration.' }),
    message: z.string(),
  }),
} satisfies Record<(typeof webhookEventTypes)[number] | 'webhook.test', z.ZodObject>;

export type WebhookData = { [E in keyof typeof webhookEvents]: z.infer<(typeof webhookEvents)[E]> };
