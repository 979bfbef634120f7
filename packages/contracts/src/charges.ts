import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { anybody, type Endpoint, movesMoney, reads, writes } from './endpoint.ts';
import {
  id,
  idParams,
  noQuery,
  nothing,
  oneOf,
  page,
  rangeEnd,
  rangeStart,
  text,
  timestamp,
} from './fields.ts';
import { newCharge, newChargeExamples } from './new-charge.ts';
import { waitingFor } from './waiting.ts';

export const chargeStatuses = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED'] as const;
export const paymentMethods = ['PIX', 'CARD', 'BOLETO'] as const;

/** Why a refund came to nothing. */
export const refundFailureReasons = ['insufficient_balance', 'refused_by_provider'] as const;

const refundWaits = waitingFor.nullable().meta({
  description: 'What holds it up while the provider is not known to have the order.',
});

const returned = z.object({
  id,
  amount: z.int(),
  reason: z.string().nullable(),
  status: z.enum(['PROCESSING', 'REFUNDED', 'FAILED']).meta({
    description: 'PROCESSING: its amount is out of your balance. FAILED: it is in your balance again.',
  }),
  requestedAt: timestamp,
  refundedAt: timestamp.nullable(),
  failureReason: oneOf(refundFailureReasons).nullable().meta({ description: 'Null unless FAILED.' }),
  origin: z.enum(['MERCHANT', 'DISPUTE', 'OPERATOR']),
  waitingFor: refundWaits,
});

const charge = z
  .object({
    id,
    txid: z.string(),
    paymentMethod: z.enum(paymentMethods),
    amount: z.int(),
    feeAmount: z.int(),
    netAmount: z.int(),
    status: z.enum(chargeStatuses),
    qrCode: z.string().nullable().meta({ description: 'Pix copy-and-paste code; null for cards.' }),
    qrCodeBase64: z.string().nullable().meta({ description: 'The same code as an image, a data URI.' }),
    expiresAt: timestamp.nullable().meta({ description: 'Null for cards.' }),
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
    externalId: z.string(),
    description: z.string().nullable(),
    endToEndId: z.string().nullable().meta({ description: 'The Pix payment’s number at the central bank.' }),
    installments: z.int().nullable().meta({ description: 'Of a card charge.' }),
    cardBrand: z.string().nullable(),
    cardLastDigits: z.string().nullable(),
    refundedAmount: z.int().nullable().meta({ description: 'Cents; null until something is refunded.' }),
    refundedAt: timestamp.nullable(),
    refundReason: z
      .string()
      .nullable()
      .meta({ description: 'Of your own refund; without one, `dispute` when a dispute was lost.' }),
    refunds: z.array(returned).meta({
      description: 'What went back of it or was to, oldest first: your refunds and its lost disputes.',
    }),
  })
  .meta({ id: 'Charge' });

export type ChargeView = z.infer<typeof charge>;

/** What a list shows: a charge without its codes, which only matter for the one being paid, and without its refunds. */
export const chargeInList = charge
  .omit({ qrCode: true, qrCodeBase64: true, refunds: true })
  .meta({ id: 'ChargeInList' });

export type ChargeInListView = z.infer<typeof chargeInList>;

const checkout = z
  .object({
    id,
    amount: z.int(),
    status: z.enum(chargeStatuses),
    description: z.string().nullable(),
    expiresAt: timestamp.nullable(),
    paymentMethod: z.enum(paymentMethods),
    qrCode: z.string().optional().meta({ description: 'Only while the charge is PENDING.' }),
    qrCodeBase64: z.string().optional(),
    merchantName: z.string(),
    checkoutColor: z.string(),
  })
  .meta({ id: 'Checkout' });

export type CheckoutView = z.infer<typeof checkout>;

const chargeQuery = z.strictObject({
  status: z.enum(chargeStatuses).optional(),
  paymentMethod: z.enum(paymentMethods).optional(),
  startDate: rangeStart.optional(),
  endDate: rangeEnd.optional(),
  ...page,
});

export type ChargeQuery = z.infer<typeof chargeQuery>;

const message = z.object({ message: z.string() });
const service = 'charges' as const;

export const createCharge = {
  method: 'post',
  path: '/v1/charges',
  service,
  access: movesMoney('charges:write'),
  summary: 'Create a charge',
  description:
    'A Pix charge comes back PENDING with its dynamic code; a card charge comes back PAID, or is CARD_DECLINED with ' +
    'the reason (insufficient_funds, expired_card, suspected_fraud, …). The externalId makes it safe to send again: ' +
    'the same data gives the same charge, other data is an EXTERNAL_ID_CONFLICT; a declined card frees it ' +
    'for another cardToken; with the same one the answer is the same decline. After ' +
    'PROVIDER_UNAVAILABLE send the same request: the answer is then the truth about the first one. A card payment ' +
    'nobody asks about again for fifteen minutes is voided. An Idempotency-Key goes further: the same request has the ' +
    'first answer again, a decline too, and no card is charged; for another try with the card use a new key.',
  params: nothing,
  query: noQuery,
  body: newCharge,
  examples: newChargeExamples,
  status: 201,
  otherStatus: { status: 200, when: 'The charge with this externalId exists already: here it is.' },
  data: charge,
  keyed: true,
  errors: [
    'CARD_DECLINED',
    'CARD_NOT_ENABLED',
    'EXTERNAL_ID_CONFLICT',
    'PROVIDER_ERROR',
    'PROVIDER_UNAVAILABLE',
  ],
} as const satisfies Endpoint;

export const listCharges = {
  method: 'get',
  path: '/v1/charges',
  service,
  access: reads('charges:read', 'charges:write'),
  summary: 'List charges, newest first',
  description: 'startDate and endDate take a UTC day (endDate’s day is included) or a date-time.',
  params: nothing,
  query: chargeQuery,
  body: nothing,
  status: 200,
  data: chargeInList,
  paged: true,
  errors: [],
} as const satisfies Endpoint;

export const getCharge = {
  method: 'get',
  path: '/v1/charges/:id',
  service,
  access: reads('charges:read', 'charges:write'),
  summary: 'Read a charge',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: charge,
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;

export const getCheckout = {
  method: 'get',
  path: '/v1/charges/:id/checkout',
  service,
  access: anybody,
  summary: 'What a checkout page shows of a charge',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: checkout,
  openToBrowsers: true,
  errors: ['NOT_FOUND'],
} as const satisfies Endpoint;

export const cancelCharge = {
  method: 'delete',
  path: '/v1/charges/:id',
  service,
  access: writes('charges:write'),
  summary: 'Cancel a pending charge',
  description: 'Cancelled at the provider first. A charge that was paid meanwhile is CHARGE_NOT_CANCELLABLE.',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: message,
  errors: ['NOT_FOUND', 'CHARGE_NOT_CANCELLABLE', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
} as const satisfies Endpoint;

export const simulatePayment = {
  method: 'post',
  path: '/v1/charges/:id/simulate-payment',
  service,
  access: writes('charges:write'),
  summary: 'Pay a sandbox charge as its payer would',
  description: 'Fires charge.paid. In production it is SANDBOX_ONLY.',
  params: idParams,
  query: noQuery,
  body: nothing,
  status: 200,
  data: z.object({
    id,
    txid: z.string(),
    status: z.enum(chargeStatuses),
    paidAt: timestamp.nullable(),
    message: z.string(),
  }),
  keyed: true,
  errors: ['NOT_FOUND', 'SANDBOX_ONLY', 'CHARGE_NOT_PAYABLE', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
} as const satisfies Endpoint;

export const getCardConfig = {
  method: 'get',
  path: '/v1/charges/card-config',
  service,
  access: reads('charges:read', 'charges:write'),
  summary: 'Where and with which key the buyer’s browser tokenizes a card',
  description: 'Read them when you need them; both may change. Charges need cardEnabled, which we set.',
  params: nothing,
  query: noQuery,
  body: nothing,
  status: 200,
  data: z
    .object({
      publicKey: z.string(),
      maxInstallments: z.int(),
      tokenizeUrl: z.string().meta({ description: 'POST the card here with ?appId=publicKey.' }),
      cardEnabled: z.boolean(),
    })
    .meta({ id: 'CardConfig' }),
  errors: ['PROVIDER_UNAVAILABLE'],
} as const satisfies Endpoint;

export const refundCharge = {
  method: 'post',
  path: '/v1/charges/:id/refund',
  service,
  access: writes('charges:write'),
  summary: 'Refund a paid charge, once',
  description:
    'Takes the amount from the balance and returns it to the payer. Without an amount it is the net amount: the fee ' +
    'is not returned, and the payer gets less than was paid unless you say the full amount. The answer is 200 when the ' +
    'provider has returned the money, which is mostly within seconds. A provider that needs longer is a 202: the charge ' +
    'is PAID until the end comes as charge.refunded, or as charge.refund_failed with the money in your balance again. ' +
    'After PROVIDER_UNAVAILABLE or PROVIDER_ERROR the refund goes on by itself, and ends in the same way. The same ' +
    'request meanwhile tells how far it is, one with another amount is REQUEST_IN_PROGRESS, and each is ' +
    'CHARGE_NOT_REFUNDABLE when the charge is REFUNDED: a charge is refunded once. After a refund that failed ' +
    'another may be asked for. While we hold refunds up the answer is 202 with waitingFor. With an Idempotency-Key the same request tells how the first one ended, also that the ' +
    'balance was too low or the provider refused; for another try use a new key.',
  params: idParams,
  query: noQuery,
  body: z.object({
    amount: z
      .int()
      .min(1)
      .max(MAX_AMOUNT)
      .optional()
      .meta({ description: 'Cents; at most the charge’s amount. The net amount when left out.' }),
    reason: text(255).optional(),
  }),
  examples: [
    { summary: 'The net amount', body: {} },
    { summary: 'A part', body: { amount: 1000, reason: 'um item veio quebrado' } },
  ],
  status: 200,
  data: z.object({
    id,
    status: z.enum(chargeStatuses),
    refundedAmount: z.int(),
    refundedAt: timestamp,
    refundReason: z.string().nullable(),
  }),
  otherStatus: {
    status: 202,
    when: 'The provider has not said yet how it ends: the refund is under way and goes on by itself.',
    data: z.object({
      id,
      status: z.enum(chargeStatuses),
      refund: z.object({
        id,
        status: z.literal('PROCESSING'),
        amount: z.int().meta({ description: 'It is out of your balance.' }),
        requestedAt: timestamp,
        waitingFor: refundWaits,
      }),
    }),
  },
  keyed: true,
  errors: [
    'NOT_FOUND',
    'CHARGE_NOT_REFUNDABLE',
    'REQUEST_IN_PROGRESS',
    'REFUND_NOT_SUPPORTED',
    'INSUFFICIENT_BALANCE',
    'PROVIDER_ERROR',
    'PROVIDER_UNAVAILABLE',
  ],
} as const satisfies Endpoint;
