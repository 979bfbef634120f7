import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, movesMoney, reads, writes } from '../endpoint.ts';
import { cents, count, id, nullableText } from '../fields.ts';
import { linkMethods, newPaymentLink, paymentLinkChange } from '../forms/payment-link.ts';
import { olderNameOf } from '../older-names.ts';
import { page } from '../paging.ts';
import { daysInZone, period } from '../period.ts';
import { searchField } from '../search-field.ts';

const linkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'USED_UP'] as const;

const paymentLink = z
  .object({
    id,
    slug: z.string(),
    url: nullableText.meta({
      description: 'Address of the page to send to buyers. Null if this installation has no checkout page.',
      example: 'https://pagar.example/pay/l/q7Xk2mVnQ2pLw7Yt',
    }),
    buyerUrl: nullableText.meta({
      description:
        'For a link with `uses: 1`: the page with its own token, for its buyer only. On another device it ' +
        'returns the buyer to the visit that began with it, and to its Pix code. Null for other links, ' +
        'and without a url.',
      example: 'https://pagar.example/pay/l/q7Xk2mVnQ2pLw7Yt?t=5d2c7a90-3e41-4b8f-9c66-1f0e8d7b2a35',
    }),
    qrCodeBase64: nullableText.meta({
      description: 'The url as a QR code to print or show, as a data URI. Null without a url.',
    }),
    environment: z.enum(environments),
    status: z.enum(linkStatuses).meta({ description: 'USED_UP: the link has no uses left.' }),
    isActive: z.boolean(),
    description: z.string(),
    amount: cents
      .nullable()
      .meta({ description: 'Amount in cents. Null means that the buyer chooses the amount.' }),
    minAmount: cents.nullable(),
    maxAmount: cents.nullable(),
    methods: z.array(z.enum(linkMethods)),
    uses: count
      .nullable()
      .meta({ description: 'Number of times that the link can be paid. Null means no limit.' }),
    usesTaken: count.meta({
      description:
        'Number of uses that are paid or chosen by buyers who are paying at this moment. A chosen use ' +
        'does not stop other buyers from paying.',
    }),
    expiresAt: timestamp.nullable(),
    returnUrl: nullableText,
    externalId: nullableText,
    externalIdPrefix: nullableText,
    payerName: nullableText,
    payerDocument: nullableText.meta({ description: 'Masked document.', example: '***.456.789-**' }),
    pixExpiresIn: count,
    checkoutColor: nullableText.meta({
      description: 'Colour of the checkout page. Null means the colour of your account.',
    }),
    color: olderNameOf('checkoutColor', nullableText),
    logo: nullableText.meta({ description: 'Image as a data URI. Null means the logo of your account.' }),
    visits: count.meta({
      description: 'Number of times that the page was opened, including by programs that preview it.',
    }),
    starts: count.meta({ description: 'Number of visits with a name and document.' }),
    payments: count.meta({ description: 'Number of payments, including payments refunded later.' }),
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
    isActive: z.enum(['true', 'false']).optional().meta({
      description: 'Status that you have set. Links that are expired or used up count by their set status.',
    }),
    search: searchField(
      'a complete id or its last 8 characters',
      'the description, of the externalId and of the slug',
    ),
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
      'Creates a page on which a buyer pays by Pix or card; send its url in a message. The buyer enters ' +
      'the payer’s name and document, which creates a charge. The charge’s events and views name the link ' +
      'and the visit (`paymentLinkId`, `checkoutId`). Each payment consumes a use. A link is never paid ' +
      'more often than its uses allow, and a payment after its last use is returned to the buyer.',
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
    description:
      'Links in the list have no images and no `buyerUrl`. Only the response for a single link has these.',
    query: paymentLinkQuery,
    data: paymentLinkInList,
    paged: true,
  },

  getPaymentLink: {
    route: 'GET /v1/payment-links/:id',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read a payment link',
    description: 'Returns the link with the number of times its page was opened, started and paid.',
    data: paymentLink,
  },

  changePaymentLink: {
    route: 'PATCH /v1/payment-links/:id',
    access: writes('charges:write'),
    summary: 'Change or switch off a payment link',
    description:
      'The amount and the other payment terms can’t change; create another link for another amount. A ' +
      'buyer who is paying at this moment may finish. The number of uses can’t be lower than the number ' +
      'of payments.',
    body: paymentLinkChange,
    examples: [
      { summary: 'Switch off the link', body: { isActive: false } },
      { summary: 'No limit of uses and no expiry', body: { uses: null, expiresAt: null } },
    ],
    data: paymentLink,
    errors: ['INVALID_STATE', 'LOGO_LIMIT_REACHED'],
  },
} as const satisfies Record<string, Definition>);
