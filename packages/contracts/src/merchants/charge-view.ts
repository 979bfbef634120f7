import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { cents, id, metadata, nullableText, oneOf } from '../fields.ts';
import { buyersUnexpectedPayments } from './unexpected-payments.ts';
import { waitingFor } from './waiting.ts';

export const chargeStatuses = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED'] as const;
export const paymentMethods = ['PIX', 'CARD', 'BOLETO'] as const;

export const refundFailureReasons = ['insufficient_balance', 'refused_by_provider'] as const;

export const refundWaits = waitingFor.nullable().meta({
  description: 'Cause of the delay, while the provider has not confirmed the order.',
});

export const returned = z.object({
  id,
  amount: cents,
  reason: nullableText,
  status: z.enum(['PROCESSING', 'REFUNDED', 'FAILED']).meta({
    description: 'PROCESSING: the amount has left your balance. FAILED: the amount is in your balance again.',
  }),
  requestedAt: timestamp,
  refundedAt: timestamp.nullable(),
  failureReason: oneOf(refundFailureReasons)
    .nullable()
    .meta({ description: 'Reason of the failure. Null unless the status is FAILED.' }),
  endToEndId: nullableText.meta({
    description:
      'Number of the Pix that returns the refund (`rtrId` at the central bank). Null for a card, for a ' +
      'FAILED refund and for refunds before version 0.7. Null also until the provider has provided it.',
    example: 'D12345678202611211320aB3dE6fG9hJ',
  }),
  origin: z.enum(['MERCHANT', 'DISPUTE', 'OPERATOR']),
  waitingFor: refundWaits,
});

/** The charge's fields in each item of a list of refunds or disputes. */
export const listedCharge = {
  externalId: z.string().meta({ description: 'Value of the same field of the charge.' }),
  paymentMethod: z.enum(paymentMethods),
  payerName: nullableText.meta({
    description: 'Name of the charge’s payer. Null for an API key that may not read charges.',
  }),
};

const sinceBankIds =
  'Null for a Pix, for payments before version 0.7, and when the acquirer does not provide it.';

export const charge = z
  .object({
    id,
    txid: z.string(),
    paymentMethod: z.enum(paymentMethods),
    amount: cents,
    feeAmount: cents,
    netAmount: cents,
    status: z.enum(chargeStatuses),
    qrCode: nullableText.meta({
      description: 'Pix copy-and-paste code. Null for cards, and until the Pix provider has answered.',
    }),
    qrCodeBase64: nullableText.meta({ description: 'The Pix code as an image, as a data URI.' }),
    expiresAt: timestamp.nullable().meta({ description: 'Null for cards.' }),
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
    settlesAt: timestamp.nullable().meta({
      description: 'Time at which the money becomes available to you. Null until the charge is paid.',
    }),
    environment: z.enum(environments),
    externalId: z.string(),
    payerName: z.string(),
    payerDocument: z.string().meta({
      description: 'Masked document: `***.456.789-**` for a CPF, `**.345.678/0001-**` for a CNPJ.',
      example: '***.456.789-**',
    }),
    payerEmail: nullableText,
    description: nullableText,
    endToEndId: nullableText.meta({ description: 'Number of the Pix payment at the central bank.' }),
    installments: z.int().min(1).max(18).nullable().meta({ description: 'Present on a card charge.' }),
    cardBrand: nullableText,
    cardLastDigits: nullableText,
    nsu: nullableText.meta({
      description: `Sequence number (NSU) of the card payment at the acquirer. ${sinceBankIds}`,
    }),
    authorizationCode: nullableText.meta({
      description: `Authorization code of the card’s issuer. ${sinceBankIds}`,
    }),
    acquirerId: nullableText.meta({ description: 'Id that the acquirer gives to a card charge.' }),
    refundedAmount: cents
      .nullable()
      .meta({ description: 'Refunded amount in cents. Null until an amount is refunded.' }),
    refundedAt: timestamp.nullable(),
    refundReason: nullableText.meta({
      description: 'Reason of your refund. If only a lost dispute returned money, this is `dispute`.',
    }),
    paymentLinkId: id.nullable().meta({ description: 'Payment link that created the charge.' }),
    checkoutId: id.nullable().meta({ description: 'Visit in which the buyer created the charge.' }),
    refunds: z.array(returned).meta({
      description:
        'Refunds of the charge and its lost disputes, oldest first. The list includes refunds that did ' +
        'not return money.',
    }),
    disputeId: id.nullable().meta({ description: 'Id of the charge’s newest dispute.' }),
    checkoutUrl: z.url().nullable().meta({
      description:
        'Address of the page on which the buyer pays the charge. Null if the installation has no pages.',
    }),
    metadata: metadata.meta({ description: 'Your own metadata, as you sent it.' }),
  })
  .meta({ id: 'Charge' });

export type ChargeView = z.infer<typeof charge>;

/**
 * A charge in a list. It lacks related objects and its Pix codes, which are needed only until the charge is
 * paid.
 */
export const chargeInList = charge
  .omit({
    qrCode: true,
    qrCodeBase64: true,
    refunds: true,
    disputeId: true,
    checkoutUrl: true,
    metadata: true,
  })
  .meta({ id: 'ChargeInList' });

export type ChargeInListView = z.infer<typeof chargeInList>;

/** The merchant's legal details, which every page that sells must show (Decree 7.962/2013). */
export const seller = {
  merchantName: z.string(),
  merchantCnpj: nullableText.meta({
    description: 'CNPJ of the merchant. Null only while an update of the platform is in progress.',
    example: '34665388000161',
  }),
  merchantPhone: nullableText.meta({
    description: 'Phone number of the account, for questions of buyers. Null like `merchantCnpj`.',
    example: '11987654321',
  }),
};

/** The card of a payment, as the buyer’s receipt shows it. All fields are null for a Pix. */
export const paidCard = {
  installments: z.int().min(1).max(18).nullable().meta({ example: null }),
  cardBrand: nullableText.meta({ example: null }),
  cardLastDigits: nullableText.meta({ example: null }),
};

export const checkout = z
  .object({
    id,
    amount: cents,
    status: z.enum(chargeStatuses),
    description: nullableText,
    expiresAt: timestamp.nullable(),
    paymentMethod: z.enum(paymentMethods),
    qrCode: z.string().optional().meta({ description: 'Present only while the charge is PENDING.' }),
    qrCodeBase64: z.string().optional(),
    ...seller,
    checkoutColor: z
      .string()
      .meta({ description: 'Value of the payment link, or of the merchant if the link has none.' }),
    logo: nullableText.meta({
      description: 'Logo of the payment link, or of the merchant if the link has none, as a data URI.',
      example: null,
    }),
    environment: z
      .enum(environments)
      .meta({ description: 'Environment of the charge. No money moves in the sandbox.' }),
    paidAt: timestamp.nullable(),
    endToEndId: nullableText.meta({ description: 'Number of the Pix payment at the central bank.' }),
    refundedAmount: cents
      .nullable()
      .meta({ description: 'Refunded amount in cents. Null until an amount is refunded.' }),
    refundedAt: timestamp.nullable(),
    disputedAmount: cents
      .nullable()
      .meta({ description: 'Disputed amount in cents. Null unless the charge is DISPUTED.' }),
    disputedAt: timestamp.nullable(),
    ...paidCard,
    unexpectedPayments: buyersUnexpectedPayments,
    serverTime: timestamp.meta({ description: 'Current time of the server, for a countdown to expiresAt.' }),
  })
  .meta({ id: 'Checkout' });

export type CheckoutView = z.infer<typeof checkout>;
