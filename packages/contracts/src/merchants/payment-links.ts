import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, movesMoney, reads, writes } from '../endpoint.ts';
import { cents, count, id, nullableText, olderNameOf, page, timestamp } from '../fields.ts';
import { linkMethods, newPaymentLink, paymentLinkChange } from '../forms/payment-link.ts';
import { daysInZone, period } from '../period.ts';

const linkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'USED_UP'] as const;

const paymentLink = z
  .object({
    id,
    slug: z.string(),
    url: nullableText.meta({
      description: 'The page to send to buyers; null where this installation has no checkout page.',
      example: 'https://pagar.example/pay/l/q7Xk2mVnQ2pLw7Yt',
    }),
    buyerUrl: nullableText.meta({
      description:
        'Of a link with `uses: 1`: the page with a token of its own, for its buyer alone. A buyer who opens it on another ' +
        'device is led back to the visit that was begun with it, and to its Pix code. Null for other links, and without a url.',
      example: 'https://pagar.example/pay/l/q7Xk2mVnQ2pLw7Yt?t=5d2c7a90-3e41-4b8f-9c66-1f0e8d7b2a35',
    }),
    qrCodeBase64: nullableText.meta({
      description: 'The url as a QR code to print or show, a data URI; null without a url.',
    }),
    environment: z.enum(environments),
    status: z.enum(linkStatuses).meta({ description: 'USED_UP: paid as often as it can be.' }),
    isActive: z.boolean(),
    description: z.string(),
    amount: cents.nullable().meta({ description: 'Null: the buyer says how much.' }),
    minAmount: cents.nullable(),
    maxAmount: cents.nullable(),
    methods: z.array(z.enum(linkMethods)),
    uses: count.nullable().meta({ description: 'How often it can be paid; null: any number of times.' }),
    usesTaken: count.meta({
      description:
        'Paid, or chosen by buyers who are paying at this moment, which keeps no other buyer from paying.',
    }),
    expiresAt: timestamp.nullable(),
    returnUrl: nullableText,
    externalId: nullableText,
    externalIdPrefix: nullableText,
    payerName: nullableText,
    payerDocument: nullableText.meta({ description: 'Masked.', example: '***.456.789-**' }),
    pixExpiresIn: count,
    checkoutColor: nullableText.meta({ description: 'Null: your account’s.' }),
    color: olderNameOf('checkoutColor', nullableText),
    logo: nullableText.meta({ description: 'A data URI; null: your account’s.' }),
    visits: count.meta({ description: 'How often its page was opened, by programs that preview it too.' }),
    starts: count.meta({ description: 'Visits that gave a name and document.' }),
    payments: count.meta({ description: 'How often it was paid, also what was refunded since.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'PaymentLink' });

export type PaymentLinkView = z.infer<typeof paymentLink>;

const paymentLinkInList = paymentLink
  .omit({ logo: true, qrCodeBase64: true, buyerUrl: true })
  .meta({ id: 'PaymentLinkInList' });

export type PaymentLinkInListView = z.infer<typeof paymentLinkInList>;

const paymentLinkQuery = z
  .strictObject({
    status: z.enum(linkStatuses).optional(),
    isActive: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'What you have set; links that are expired or used up count as they are set.' }),
    ...period,
    ...page,
  })
  .check(daysInZone);

export type PaymentLinkQuery = z.infer<typeof paymentLinkQuery>;

export const paymentLinks = endpointsOf('charges', {
  createPaymentLink: {
    route: 'POST /v1/payment-links',
    access: movesMoney('charges:write'),
    summary: 'Create a payment link',
    description:
      'A page that a buyer pays on, by Pix or card: send its url in a message. The buyer says who pays, which makes a ' +
      'charge; its events and views name the link and the visit (`paymentLinkId`, `checkoutId`). A payment takes a use: a ' +
      'link is never paid more often than it says, and a payment that comes after its last use is returned to the buyer.',
    body: newPaymentLink,
    examples: [
      {
        summary: 'One order, paid once',
        body: { description: 'Pedido 1003', amount: 2500, uses: 1, externalId: 'order-1003' },
      },
      {
        summary: 'A donation of any amount',
        body: { description: 'Doação', minAmount: 500, maxAmount: 100_000, methods: ['PIX'] },
      },
    ],
    status: 201,
    data: paymentLink,
    keyed: true,
    errors: ['CARD_NOT_ENABLED', 'LOGO_LIMIT_REACHED'],
  },

  listPaymentLinks: {
    route: 'GET /v1/payment-links',
    access: reads('charges:read', 'charges:write'),
    summary: 'List payment links, newest first',
    description: 'Without their images and `buyerUrl`, which only one link’s own answer has.',
    query: paymentLinkQuery,
    data: paymentLinkInList,
    paged: true,
  },

  getPaymentLink: {
    route: 'GET /v1/payment-links/:id',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read a payment link',
    description: 'With how often its page was opened, begun and paid.',
    data: paymentLink,
  },

  changePaymentLink: {
    route: 'PATCH /v1/payment-links/:id',
    access: writes('charges:write'),
    summary: 'Change a payment link, or switch it off',
    description:
      'What buyers pay stays as it is: make another link for another amount. Who is paying at this moment may finish. ' +
      'Uses may not be fewer than are paid.',
    body: paymentLinkChange,
    examples: [
      { summary: 'Switch it off', body: { isActive: false } },
      { summary: 'Any number of times, for good', body: { uses: null, expiresAt: null } },
    ],
    data: paymentLink,
    errors: ['INVALID_STATE', 'LOGO_LIMIT_REACHED'],
  },
} as const satisfies Record<string, Definition>);
