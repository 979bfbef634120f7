import { z } from 'zod';
import { anybody, type Endpoint, movesMoney, reads, writes } from './endpoint.ts';
import {
  amount,
  document,
  email,
  id,
  idParams,
  nothing,
  page,
  rangeEnd,
  rangeStart,
  text,
  timestamp,
} from './fields.ts';

export const chargeStatuses = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED'] as const;
export const paymentMethods = ['PIX', 'CARD', 'BOLETO'] as const;

const DEFAULT_EXPIRY_SECONDS = 3600;
const MAX_EXPIRY_SECONDS = 2_592_000;

/** Keeps letters with their accents, digits and single spaces. */
function withoutPunctuation(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const newCharge = z.object({
  amount,
  externalId: text(64).meta({
    description: 'Your order number. Sending it again with the same data gives the same charge.',
    example: 'order-1001',
  }),
  payerName: z
    .string()
    .transform(withoutPunctuation)
    .pipe(z.string().min(1, 'is required').max(120))
    .meta({ example: 'Maria da Silva' }),
  payerDocument: document,
  paymentMethod: z.enum(['PIX', 'CARD']).default('PIX'),
  description: text(255).optional(),
  payerEmail: email.optional(),
  expiresIn: z
    .int()
    .min(1)
    .max(MAX_EXPIRY_SECONDS)
    .default(DEFAULT_EXPIRY_SECONDS)
    .meta({ description: 'Seconds until the charge expires.' }),
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
    qrCode: z.string().nullable().meta({ description: 'Pix copy-and-paste code.' }),
    qrCodeBase64: z.string().nullable().meta({ description: 'The same code as an image, a data URI.' }),
    expiresAt: timestamp,
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
    externalId: z.string(),
    description: z.string().nullable(),
    endToEndId: z.string().nullable().meta({ description: 'The Pix payment’s number at the central bank.' }),
  })
  .meta({ id: 'Charge' });

export type ChargeView = z.infer<typeof charge>;

/** What a list shows: a charge without its codes, which only matter for the one being paid. */
const chargeInList = charge.omit({ qrCode: true, qrCodeBase64: true }).meta({ id: 'ChargeInList' });

export type ChargeInListView = z.infer<typeof chargeInList>;

const checkout = z
  .object({
    id,
    amount: z.int(),
    status: z.enum(chargeStatuses),
    description: z.string().nullable(),
    expiresAt: timestamp,
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
    'Creates a Pix charge and returns its dynamic code. The externalId makes it safe to send again: the same data ' +
    'gives the same charge, other data is an EXTERNAL_ID_CONFLICT. After PROVIDER_UNAVAILABLE send the same request.',
  params: nothing,
  query: nothing,
  body: newCharge,
  status: 201,
  otherStatus: { status: 200, when: 'The charge with this externalId exists already: here it is.' },
  data: charge,
  errors: ['CARD_NOT_ENABLED', 'EXTERNAL_ID_CONFLICT', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
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
  query: nothing,
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
  query: nothing,
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
  query: nothing,
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
  params: idParams,
  query: nothing,
  body: nothing,
  status: 200,
  data: z.object({
    id,
    txid: z.string(),
    status: z.enum(chargeStatuses),
    paidAt: timestamp.nullable(),
    message: z.string(),
  }),
  errors: ['NOT_FOUND', 'SANDBOX_ONLY', 'CHARGE_NOT_PAYABLE', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
} as const satisfies Endpoint;
