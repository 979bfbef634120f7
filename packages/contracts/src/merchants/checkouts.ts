import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { declineReasons } from '../decline-reasons.ts';
import { anonymous, BUYERS_READ, type Definition, endpointsOf } from '../endpoint.ts';
import { cents, count, id, nullableText, oneOf } from '../fields.ts';
import { buyerToken, cardPayment, newCheckout } from '../forms/checkout.ts';
import { linkMethods } from '../forms/payment-link.ts';
import { olderNameOf } from '../older-names.ts';
import { chargeStatuses, paidCard, seller } from './charge-view.ts';
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

/** The merchant's name and settings that a buyer's page shows. */
const shop = {
  ...seller,
  checkoutColor: z.string().meta({ example: '#0a7f5a' }),
  color: olderNameOf('checkoutColor', z.string().meta({ example: '#0a7f5a' })),
  logo: nullableText.meta({
    description: 'Logo of the link or of the merchant, as a data URI.',
    example: null,
  }),
  description: z.string(),
  environment: z
    .enum(environments)
    .meta({ description: 'Environment of the charge. No money moves in the sandbox.' }),
  methods: z.array(z.enum(linkMethods)).meta({ description: 'Payment methods available at this moment.' }),
  card: z
    .object({ publicKey: z.string(), tokenizeUrl: z.string(), maxInstallments: z.int().min(1).max(18) })
    .nullable()
    .meta({
      id: 'CheckoutCard',
      description:
        'Address at which the buyer’s browser tokenizes a card: POST it to `tokenizeUrl?appId=publicKey`.',
    }),
  installments: z
    .array(z.object({ count: z.int().min(1).max(18), amount: cents, firstAmount: cents }))
    .nullable()
    .meta({
      description: 'Installments of a card: `amount` for each, and `firstAmount` with the remaining cents.',
      example: [
        { count: 1, amount: 2500, firstAmount: 2500 },
        { count: 3, amount: 833, firstAmount: 834 },
      ],
    }),
  serverTime: timestamp.meta({ description: 'Current time of the server, for a countdown.' }),
};

const linkPage = z
  .object({
    slug: z.string(),
    status: z.enum(linkStates).meta({
      description:
        'OPEN: the link can be paid, even while other buyers are paying; the first payments count, and ' +
        'later payments are returned. USED_UP: the link has no uses left. HELD: sent by earlier releases ' +
        'only.',
    }),
    state: olderNameOf('status', z.enum(linkStates)),
    amount: cents.nullable(),
    minAmount: cents.nullable(),
    maxAmount: cents.nullable(),
    isPayerKnown: z
      .boolean()
      .meta({ description: 'Whether the link names the payer, so that the page need not request a name.' }),
    isJoinable: z.boolean().meta({
      description:
        'For a link with `uses: 1`: a buyer is paying or has paid. The page returns the browser of that ' +
        'buyer to the visit.',
      example: false,
    }),
    checkoutId: id.nullable().meta({
      description: 'Visit to which `buyerToken` returns. Null without one.',
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
    qrCode: nullableText.meta({ description: 'Present only while a Pix charge is PENDING.' }),
    qrCodeBase64: nullableText,
    expiresAt: timestamp.nullable(),
    paidAt: timestamp.nullable(),
    endToEndId: nullableText,
    ...paidCard,
    refundedAmount: cents.nullable(),
    refundedAt: timestamp.nullable(),
    disputedAmount: cents
      .nullable()
      .meta({ description: 'Disputed amount in cents. Null unless the charge is DISPUTED.' }),
    disputedAt: timestamp.nullable(),
  })
  .meta({ id: 'CheckoutCharge' });

const visit = z
  .object({
    id,
    slug: z.string(),
    status: z.enum(checkoutStates).meta({
      description:
        'PIX: a code waits for its payment, or is being created. CARD_FORM: the form is open until ' +
        '`cardFormUntil`. PROCESSING: the outcome of a card payment is unconfirmed. CODE_ENDED: the buyer ' +
        'must choose a payment method again. OPEN: no method is chosen.',
    }),
    state: olderNameOf('status', z.enum(checkoutStates)),
    amount: cents,
    payerDocument: z.string().meta({
      description: 'Masked document, or the complete document if the link names the payer.',
      example: '***.456.789-**',
    }),
    cardFormUntil: timestamp.nullable(),
    cardTriesLeft: count.meta({
      description: 'Declines that remain until cards are disabled for this visit.',
    }),
    returnUrl: nullableText.meta({
      description:
        'Address to which the buyer returns, with `?checkout={id}` added. This parameter proves nothing.',
    }),
    charge: shownCharge.nullable().meta({ description: 'Latest charge of this visit.' }),
    declineReason: oneOf(declineReasons).nullable().meta({
      description: 'Reason for the decline of the latest card. Null unless `charge` is that attempt.',
      example: null,
    }),
    unexpectedPayments: buyersUnexpectedPayments,
    linkStatus: z.enum(linkStates).meta({ description: 'Same value as `status` on the page of the link.' }),
    ...shop,
  })
  .meta({ id: 'CheckoutVisit' });

export type VisitView = z.infer<typeof visit>;

const slugParams = z.object({
  slug: z.string().regex(/^[\w-]{16}$/, 'not found'),
});
const ofVisit = { access: anonymous, data: visit } as const;
const tries = { perNetwork: 300 };
const closed = ['LINK_NOT_OPEN', 'NO_USES_LEFT'] as const;
const unknown =
  'While the outcome of an attempt is unconfirmed, the response is PROVIDER_UNAVAILABLE with Retry-After.';

export const checkouts = endpointsOf('charges', {
  getLinkPage: {
    route: 'GET /v1/payment-links/:slug/page',
    access: anonymous,
    summary: 'Read the public view of a payment link',
    description:
      'Every caller with the slug may read it. Each read counts as an opening of the page, except a read ' +
      'with `again=true`, which shows the page once more to the same buyer.',
    params: slugParams,
    query: z.strictObject({
      again: z.enum(['true', 'false']).default('false').meta({ example: 'false' }),
      buyerToken: buyerToken.meta({
        description: 'The `t` of the link’s `buyerUrl`. A wrong value is treated as a missing one.',
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
      'Requires the name and document of the payer, unless the link has them. A visit reserves no use of ' +
      'the link. Only its `id` or the `buyerToken` of its creation returns to it, never a document. The ' +
      'rate is limited by address.',
    params: slugParams,
    body: newCheckout,
    examples: [
      {
        summary: 'Name and document of the payer',
        body: { payerName: 'Maria da Silva', payerDocument: '123.456.789-09' },
      },
    ],
    tries,
    status: 201,
    otherStatus: { status: 200, when: 'The visit exists already and is returned.' },
    data: visit,
    errors: ['IDEMPOTENCY_CONFLICT', ...closed],
  },

  getCheckoutVisit: {
    route: 'GET /v1/checkouts/:id',
    access: anonymous,
    summary: 'Read a buyer’s visit',
    description: 'Every caller with the id may read it.',
    data: visit,
    cost: BUYERS_READ,
  },

  payByPix: {
    route: 'POST /v1/checkouts/:id/pix',
    ...ofVisit,
    summary: 'Pay a visit by Pix',
    description:
      'Returns the visit’s Pix code, or creates a new one. While the code waits for its payment, the ' +
      'response has the same code. When other buyers use up the link, the code is cancelled, and a later ' +
      `payment of it is returned. ${unknown}`,
    tries,
    errors: ['INVALID_STATE', 'EXTERNAL_ID_CONFLICT', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE', ...closed],
  },

  openCardForm: {
    route: 'POST /v1/checkouts/:id/card-form',
    ...ofVisit,
    summary: 'Open the card form of a visit',
    description: 'Opens the form for 10 minutes, unless the link is used up. Show no card field before.',
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
      'Cancels the visit’s Pix code at the provider first. If the code was paid, the response is the paid ' +
      'visit, and no card is charged. If a payment is approved after other buyers have used up the link, ' +
      'it is voided (NO_USES_LEFT). After a decline the form stays open. Five declines disable cards for ' +
      'the visit, and fifteen within 15 minutes disable them for the address (RATE_LIMITED; a token ' +
      'without a card counts as well). At a link with many declines, three declines disable cards for the ' +
      'network (CARDS_PAUSED). ' +
      unknown,
    body: cardPayment,
    examples: [
      { summary: 'In three installments', body: { cardToken: 'token_Kx81mVnQ2pLw7YtB', installments: 3 } },
    ],
    tries: { declinesPerNetwork: 15 },
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
