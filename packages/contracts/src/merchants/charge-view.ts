import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { cents, id, metadata, nullableText, oneOf, timestamp } from '../fields.ts';
import { buyersUnexpectedPayments } from './unexpected-payments.ts';
import { waitingFor } from './waiting.ts';

export const chargeStatuses = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED'] as const;
export const paymentMethods = ['PIX', 'CARD', 'BOLETO'] as const;

/** Why a refund came to nothing. */
export const refundFailureReasons = ['insufficient_balance', 'refused_by_provider'] as const;

export const refundWaits = waitingFor.nullable().meta({
  description: 'What holds it up while the provider is not known to have the order.',
});

export const returned = z.object({
  id,
  amount: cents,
  reason: nullableText,
  status: z.enum(['PROCESSING', 'REFUNDED', 'FAILED']).meta({
    description: 'PROCESSING: its amount is out of your balance. FAILED: it is in your balance again.',
  }),
  requestedAt: timestamp,
  refundedAt: timestamp.nullable(),
  failureReason: oneOf(refundFailureReasons).nullable().meta({ description: 'Null unless FAILED.' }),
  endToEndId: nullableText.meta({
    description:
      'Of the Pix that returns it (`rtrId` at the central bank); null of a card, of one that FAILED or is ' +
      'from before version 0.7, and until the provider has said it.',
    example: 'D12345678202611211320aB3dE6fG9hJ',
  }),
  origin: z.enum(['MERCHANT', 'DISPUTE', 'OPERATOR']),
  waitingFor: refundWaits,
});

const sinceBankIds =
  'null of a Pix, of payments from before version 0.7, and where the acquirer does not say it.';

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
      description: 'Pix copy-and-paste code; null for cards, and until the Pix provider has answered.',
    }),
    qrCodeBase64: nullableText.meta({ description: 'The same code as an image, a data URI.' }),
    expiresAt: timestamp.nullable().meta({ description: 'Null for cards.' }),
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
    settlesAt: timestamp
      .nullable()
      .meta({ description: 'When its money is available to you; null until it is paid.' }),
    environment: z.enum(environments),
    externalId: z.string(),
    payerName: z.string(),
    payerDocument: z.string().meta({
      description: 'Masked: `***.456.789-**` of a CPF, `**.345.678/0001-**` of a CNPJ.',
      example: '***.456.789-**',
    }),
    payerEmail: nullableText,
    description: nullableText,
    endToEndId: nullableText.meta({ description: 'The Pix payment’s number at the central bank.' }),
    installments: z.int().min(1).max(18).nullable().meta({ description: 'Of a card charge.' }),
    cardBrand: nullableText,
    cardLastDigits: nullableText,
    nsu: nullableText.meta({
      description: `The card payment’s sequence number (NSU) at the acquirer; ${sinceBankIds}`,
    }),
    authorizationCode: nullableText.meta({
      description: `The code with which the card’s issuer approved it; ${sinceBankIds}`,
    }),
    acquirerId: nullableText.meta({ description: 'The acquirer’s own id of a card charge.' }),
    refundedAmount: cents.nullable().meta({ description: 'Cents; null until something is refunded.' }),
    refundedAt: timestamp.nullable(),
    refundReason: nullableText.meta({
      description: 'Of your own refund; without one, `dispute` when a dispute was lost.',
    }),
    paymentLinkId: id.nullable().meta({ description: 'Of a charge that a payment link has made.' }),
    checkoutId: id.nullable().meta({ description: 'The buyer’s visit to that link.' }),
    refunds: z.array(returned).meta({
      description: 'What went back of it or was to, oldest first: your refunds and its lost disputes.',
    }),
    disputeId: id.nullable().meta({ description: 'Of its newest dispute.' }),
    checkoutUrl: z.url().nullable().meta({
      description: 'The page at which its buyer pays it; null where the installation has no pages.',
    }),
    metadata: metadata.meta({ description: 'Yours, as you sent it.' }),
  })
  .meta({ id: 'Charge' });

export type ChargeView = z.infer<typeof charge>;

/** A charge in a list, without its codes, which only matter while it is paid, and without related objects. */
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

export const checkout = z
  .object({
    id,
    amount: cents,
    status: z.enum(chargeStatuses),
    description: nullableText,
    expiresAt: timestamp.nullable(),
    paymentMethod: z.enum(paymentMethods),
    qrCode: z.string().optional().meta({ description: 'Only while the charge is PENDING.' }),
    qrCodeBase64: z.string().optional(),
    merchantName: z.string(),
    checkoutColor: z.string().meta({ description: 'Of its payment link, or else of the merchant.' }),
    logo: nullableText.meta({
      description: 'Of its payment link, or else of the merchant: a data URI.',
      example: null,
    }),
    environment: z.enum(environments).meta({ description: 'Of sandbox: no money moves.' }),
    paidAt: timestamp.nullable(),
    endToEndId: nullableText.meta({ description: 'The Pix payment’s number at the central bank.' }),
    refundedAmount: cents.nullable().meta({ description: 'Cents; null until something is refunded.' }),
    refundedAt: timestamp.nullable(),
    disputedAmount: cents.nullable().meta({ description: 'Cents; null unless the charge is DISPUTED.' }),
    disputedAt: timestamp.nullable(),
    unexpectedPayments: buyersUnexpectedPayments,
    serverTime: timestamp.meta({ description: 'Now: what to count down to expiresAt by.' }),
  })
  .meta({ id: 'Checkout' });

export type CheckoutView = z.infer<typeof checkout>;
