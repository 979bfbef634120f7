import { webAddress } from '@plataforma/kernel';
import { z } from 'zod';
import {
  amount,
  colour,
  count,
  expiry,
  IMAGE,
  logo,
  ONE_PIXEL,
  olderNameOf,
  optionalText,
  text,
  visibleText,
} from '../fields.ts';
import { document, payerName } from '../party.ts';

export const linkMethods = ['PIX', 'CARD'] as const;

const MAX_USES = 1_000_000;

const returnUrl = text(2_000)
  .refine(isReturnUrl, 'must be an https address without credentials, fragment and backslashes')
  .meta({
    description:
      'Where a click leads the buyer back to, with `?checkout={id}` added, which proves nothing: read the charge.',
    example: 'https://loja.example/obrigado',
  });

function isReturnUrl(value: string): boolean {
  const url = webAddress(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
}

const description = visibleText(255).meta({ description: 'What the buyer reads.', example: 'Pedido 1001' });
const uses = count.min(1).max(MAX_USES).meta({
  description:
    'How often it can be paid. Several buyers may be paying; the first payments count, and later ones are returned.',
  example: 1,
});
const checkoutColor = colour.meta({ description: 'Your account’s when left out.', example: '#0a7f5a' });
const expiresAt = expiry.meta({
  description: 'Until when buyers can begin to pay: a day counts in whole, in the time zone of your account.',
  example: '2026-12-31',
});

/** The body of a new payment link. */
export const newPaymentLink = z
  .object({
    description,
    amount: amount.optional().meta({ description: 'Cents. Left out, the buyer says how much.' }),
    minAmount: amount.optional().meta({ description: 'Of an open amount, in cents.', example: 1000 }),
    maxAmount: amount.optional().meta({ description: 'Of an open amount, in cents.', example: 50_000 }),
    methods: z.array(z.enum(linkMethods)).min(1).max(2).optional().meta({
      description:
        'In production CARD needs an account that is enabled for cards, and is offered only while it is. Left out: both.',
    }),
    uses: uses.optional(),
    expiresAt: expiresAt.optional(),
    returnUrl: optionalText(returnUrl),
    externalId: text(64).optional().meta({
      description: 'Your order number, with `uses: 1` only: each charge of the link has it.',
      example: 'order-1001',
    }),
    externalIdPrefix: text(31).optional().meta({
      description: 'What the externalId of each charge begins with; the visit’s id follows.',
      example: 'campanha-',
    }),
    payerName: optionalText(payerName).meta({ description: 'Where you know who pays; with the document.' }),
    payerDocument: optionalText(document),
    pixExpiresIn: z
      .int()
      .min(60)
      .max(2_592_000)
      .default(3600)
      .meta({ description: 'Seconds until a Pix code of the link expires.', example: 3600 }),
    checkoutColor: optionalText(checkoutColor),
    color: olderNameOf('checkoutColor', optionalText(colour)),
    logo: logo.optional().meta({ description: `Your account’s when left out. ${IMAGE}`, example: ONE_PIXEL }),
  })
  .refine((link) => link.amount === undefined || !(link.minAmount ?? link.maxAmount), {
    path: ['amount'],
    error: 'is fixed, or has minAmount and maxAmount, not both',
  })
  .refine(({ minAmount = 0, maxAmount = Number.POSITIVE_INFINITY }) => minAmount <= maxAmount, {
    path: ['minAmount'],
    error: 'must not be above maxAmount',
  })
  .refine((link) => link.externalId === undefined || link.uses === 1, {
    path: ['externalId'],
    error: 'is one order: it needs uses: 1',
  })
  .refine((link) => link.externalId === undefined || link.externalIdPrefix === undefined, {
    path: ['externalIdPrefix'],
    error: 'has no place beside externalId',
  })
  .refine((link) => (link.payerName === undefined) === (link.payerDocument === undefined), {
    path: ['payerDocument'],
    error: 'belongs to payerName',
  });

/** The body of a change of a link: only the fields sent are changed, and `null` takes away what is there. */
export const paymentLinkChange = z.object({
  description: description.optional(),
  isActive: z.boolean().optional().meta({ description: 'False: no further buyer can begin to pay.' }),
  uses: uses
    .nullable()
    .optional()
    .meta({ description: 'How often it can be paid; null: any number of times.', example: 1 }),
  expiresAt: expiresAt.nullable().optional().meta({
    description:
      'Until when buyers can begin to pay: a day counts in whole, in the time zone of your account. Null: for good.',
    example: '2026-12-31',
  }),
  returnUrl: returnUrl.nullable().optional().meta({
    description: 'Where a click leads the buyer back to; null: nowhere.',
    example: 'https://loja.example/obrigado',
  }),
  checkoutColor: checkoutColor
    .nullable()
    .optional()
    .meta({ description: 'Null: your account’s.', example: '#0a7f5a' }),
  color: olderNameOf('checkoutColor', colour.nullable().optional()),
  logo: logo
    .nullable()
    .optional()
    .meta({ description: 'An image as when the link is created; null: your account’s.', example: ONE_PIXEL }),
});
