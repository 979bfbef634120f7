import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { declineReasons } from '../decline-reasons.ts';
import { anonymous, BUYERS_READ, type Definition, endpointsOf } from '../endpoint.ts';
import { cents, count, id, nullableText, olderNameOf, oneOf, timestamp } from '../fields.ts';
import { buyerToken, cardPayment, newCheckout } from '../forms/checkout.ts';
import { linkMethods } from '../forms/payment-link.ts';
import { chargeStatuses } from './charge-view.ts';
import { buyersUnexpectedPayments } from './unexpected-payments.ts';

const linkStates = ['OPEN', 'HELD', 'USED_UP', 'EXPIRED', 'CLOSED'] as const;
const checkoutStates = [
  'OPEN',
  'PIX',
  'CARD_FORM',
  'PROCESSING',
  'CODE_ENDED',
  'PAID',
  'REFUNDED',
  'DISPUTED',
] as const;

/** The merchant's fields on a page. */
const shop = {
  merchantName: z.string(),
  checkoutColor: z.string().meta({ example: '#0a7f5a' }),
  color: olderNameOf('checkoutColor', z.string().meta({ example: '#0a7f5a' })),
  logo: nullableText.meta({ description: 'The link’s or the merchant’s, a data URI.', example: null }),
  description: z.string(),
  environment: z.enum(environments).meta({ description: 'Of sandbox: no money moves.' }),
  methods: z.array(z.enum(linkMethods)).meta({ description: 'Those that can be had at this moment.' }),
  card: z
    .object({ publicKey: z.string(), tokenizeUrl: z.string(), maxInstallments: z.int().min(1).max(18) })
    .nullable()
    .meta({
      id: 'CheckoutCard',
      description: 'Where the buyer’s browser tokenizes a card: POST it to `tokenizeUrl?appId=publicKey`.',
    }),
  installments: z
    .array(z.object({ count: z.int().min(1).max(18), amount: cents, firstAmount: cents }))
    .nullable()
    .meta({
      description: 'Of a card: `amount` each, and `firstAmount` with the cents that are left over.',
      example: [
        { count: 1, amount: 2500, firstAmount: 2500 },
        { count: 3, amount: 833, firstAmount: 834 },
      ],
    }),
  serverTime: timestamp.meta({ description: 'Now: what to count down by.' }),
};

const linkPage = z
  .object({
    slug: z.string(),
    status: z.enum(linkStates).meta({
      description:
        'OPEN: it may be paid, also while others are paying; the first payments count and later ones go back. USED_UP: ' +
        'paid as often as it can be. HELD: of earlier releases only.',
    }),
    state: olderNameOf('status', z.enum(linkStates)),
    amount: cents.nullable(),
    minAmount: cents.nullable(),
    maxAmount: cents.nullable(),
    isPayerKnown: z.boolean().meta({ description: 'The link names who pays: nothing needs to be asked.' }),
    isJoinable: z.boolean().meta({
      description:
        'Of a link with `uses: 1`: a buyer is paying or has paid. The page leads the browser of that buyer back to the visit.',
      example: false,
    }),
    checkoutId: id.nullable().meta({
      description: 'The visit that `buyerToken` leads back to; null without one.',
      example: null,
    }),
    expiresAt: timestamp.nullable(),
    ...shop,
  })
  .meta({ id: 'PaymentLinkPage' });

export type LinkPageView = z.infer<typeof linkPage>;

const shownCharge = z
  .object({
    id,
    paymentMethod: z.enum(linkMethods),
    status: z.enum([...chargeStatuses, 'DECLINED']),
    qrCode: nullableText.meta({ description: 'Only while a Pix charge is PENDING.' }),
    qrCodeBase64: nullableText,
    expiresAt: timestamp.nullable(),
    paidAt: timestamp.nullable(),
    endToEndId: nullableText,
    installments: z.int().min(1).max(18).nullable(),
    cardBrand: nullableText,
    cardLastDigits: nullableText,
    refundedAmount: cents.nullable(),
    refundedAt: timestamp.nullable(),
    disputedAmount: cents.nullable().meta({ description: 'Cents; null unless the charge is DISPUTED.' }),
    disputedAt: timestamp.nullable(),
  })
  .meta({ id: 'CheckoutCharge' });

const visit = z
  .object({
    id,
    slug: z.string(),
    status: z.enum(checkoutStates).meta({
      description:
        'PIX: a code waits to be paid, or is being made. CARD_FORM: the form is open until `cardFormUntil`. PROCESSING: it is ' +
        'not known yet what became of a card. CODE_ENDED: choose anew how to pay. OPEN: nothing is chosen.',
    }),
    state: olderNameOf('status', z.enum(checkoutStates)),
    amount: cents,
    payerDocument: z.string().meta({
      description: 'Masked; all of it where the link names who pays.',
      example: '***.456.789-**',
    }),
    cardFormUntil: timestamp.nullable(),
    cardTriesLeft: count.meta({ description: 'Declines until the card ends for this visit.' }),
    returnUrl: nullableText.meta({ description: 'With `?checkout={id}`, which proves nothing.' }),
    charge: shownCharge.nullable().meta({ description: 'The latest one of this visit.' }),
    declineReason: oneOf(declineReasons).nullable().meta({
      description: 'Why the latest card was declined; null unless `charge` is that attempt.',
      example: null,
    }),
    unexpectedPayments: buyersUnexpectedPayments,
    linkStatus: z.enum(linkStates).meta({ description: 'As the page of the link has its `status`.' }),
    ...shop,
  })
  .meta({ id: 'CheckoutVisit' });

export type VisitView = z.infer<typeof visit>;

const slugParams = z.object({
  slug: z.string().regex(/^[\w-]{16}$/, 'not found'),
});
const ofVisit = { access: anonymous, data: visit } as const;
const tries = { perAddress: 300 };
const closed = ['LINK_NOT_OPEN', 'NO_USES_LEFT'] as const;
const unknown =
  'While it is not known what became of an attempt the answer is PROVIDER_UNAVAILABLE with Retry-After.';

export const checkouts = endpointsOf('charges', {
  getLinkPage: {
    route: 'GET /v1/payment-links/:slug/page',
    access: anonymous,
    summary: 'What the page of a payment link shows',
    description:
      'Every caller who has the slug may read it. Each reading counts as a visit, but for one with `again=true`: a page that ' +
      'is shown once more to the buyer who is there.',
    params: slugParams,
    query: z.strictObject({
      again: z.enum(['true', 'false']).default('false').meta({ example: 'false' }),
      buyerToken: buyerToken.meta({
        description: 'The `t` of the link’s `buyerUrl`. A wrong one is answered as none.',
      }),
    }),
    data: linkPage,
    cost: BUYERS_READ,
  },

  openCheckout: {
    route: 'POST /v1/payment-links/:slug/checkouts',
    access: anonymous,
    summary: 'Begin a buyer’s visit',
    description:
      'With the name and document of who pays, unless the link has them. A visit keeps no use from others. Only its `id`, ' +
      'or the `buyerToken` that it was begun with, leads back to it, never a document. Limited by address.',
    params: slugParams,
    body: newCheckout,
    examples: [
      { summary: 'Who pays', body: { payerName: 'Maria da Silva', payerDocument: '123.456.789-09' } },
    ],
    tries,
    status: 201,
    otherStatus: { status: 200, when: 'It is the visit that is there.' },
    data: visit,
    errors: ['IDEMPOTENCY_CONFLICT', ...closed],
  },

  getCheckoutVisit: {
    route: 'GET /v1/checkouts/:id',
    access: anonymous,
    summary: 'Read a buyer’s visit',
    description: 'Every caller who has the id may read it.',
    data: visit,
    cost: BUYERS_READ,
  },

  payByPix: {
    route: 'POST /v1/checkouts/:id/pix',
    ...ofVisit,
    summary: 'Pay a visit by Pix: its code, or a new one',
    description:
      'While the code waits for its payment the answer is the same code. Once others have used the link up it is taken ' +
      `back, and a payment that still comes is returned. ${unknown}`,
    tries,
    errors: ['INVALID_STATE', 'EXTERNAL_ID_CONFLICT', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE', ...closed],
  },

  openCardForm: {
    route: 'POST /v1/checkouts/:id/card-form',
    ...ofVisit,
    summary: 'Open the card form of a visit',
    description: 'Opens the form for 10 minutes, unless the link is used up: show no card field before.',
    tries,
    errors: [
      'INVALID_STATE',
      'CARD_NOT_ENABLED',
      'CARD_TRIES_USED',
      'CARDS_PAUSED',
      'PROVIDER_UNAVAILABLE',
      ...closed,
    ],
  },

  payByCard: {
    route: 'POST /v1/checkouts/:id/card',
    ...ofVisit,
    summary: 'Pay a visit by card',
    description:
      'Its Pix code is taken back at the provider first; if that was paid, the answer is the paid visit and no card is ' +
      'charged. A payment that is approved after others have used the link up is given back (NO_USES_LEFT). Declined, ' +
      'the form stays; five declines end the card for the visit, fifteen within 15 minutes for their address ' +
      `(RATE_LIMITED; a token without a card counts, too), and three for their network at a link where many are declined (CARDS_PAUSED). ${unknown}`,
    body: cardPayment,
    examples: [
      { summary: 'In three installments', body: { cardToken: 'token_Kx81mVnQ2pLw7YtB', installments: 3 } },
    ],
    tries: { declinesPerAddress: 15 },
    errors: [
      'INVALID_STATE',
      'CARD_DECLINED',
      'CARD_NOT_ENABLED',
      'CARD_TRIES_USED',
      'CARDS_PAUSED',
      'EXTERNAL_ID_CONFLICT',
      'PROVIDER_ERROR',
      'PROVIDER_UNAVAILABLE',
      ...closed,
    ],
  },
} as const satisfies Record<string, Definition>);
