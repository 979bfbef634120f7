import { webAddress } from '@plataforma/kernel';
import { z } from 'zod';
import { expiry } from '../days.ts';
import { amount, colour, count, IMAGE, logo, ONE_PIXEL, optionalText, text, visibleText } from '../fields.ts';
import { olderNameOf } from '../older-names.ts';
import { document, payerName } from '../party.ts';

export const linkMethods = ['PIX', 'CARD'] as const;

const MAX_USES = 1_000_000;

const returnUrl = text(2_000)
  .refine(isReturnUrl, 'must be an https address without credentials, fragment and backslashes')
  .meta({
    description:
      'Address to which a click returns the buyer, with `?checkout={id}` added. This parameter proves ' +
      'nothing; read the charge.',
    example: 'https://loja.example/obrigado',
  });

function isReturnUrl(value: string): boolean {
  const url = webAddress(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
}

const description = visibleText(255).meta({
  description: 'Text that the buyer reads.',
  example: 'Pedido 1001',
});
const uses = count
  .min(1)
  .max(MAX_USES)
  .meta({
    description:
      'Number of times that the link can be paid. Several buyers may pay at the same time. The first ' +
      'payments count, and later payments are returned.',
    example: 1,
  });
const checkoutColor = colour.meta({
  description: 'Colour of the checkout page. Defaults to the colour of your account.',
  example: '#0a7f5a',
});
const expiresAt = expiry.meta({
  description:
    'Time until which buyers can begin to pay. A day counts in whole, in the time zone of your account.',
  example: '2026-12-31',
});

export const newPaymentLink = z
  .object({
    description,
    amount: amount
      .optional()
      .meta({ description: 'Amount in cents. If omitted, the buyer chooses the amount.' }),
    minAmount: amount.optional().meta({ description: 'Limit in cents of an open amount.', example: 1000 }),
    maxAmount: amount.optional().meta({ description: 'Limit in cents of an open amount.', example: 50_000 }),
    methods: z
      .array(z.enum(linkMethods))
      .min(1)
      .max(2)
      .optional()
      .meta({
        description:
          'Payment methods of the link, by default both. In production CARD needs an account that is ' +
          'enabled for cards, and is offered only while the account is enabled.',
      }),
    uses: uses.optional(),
    expiresAt: expiresAt.optional(),
    returnUrl: optionalText(returnUrl),
    externalId: text(64).optional().meta({
      description: 'Your order number, only with `uses: 1`. Each charge of the link has it.',
      example: 'order-1001',
    }),
    externalIdPrefix: text(31).optional().meta({
      description: 'Beginning of each charge’s externalId, followed by the id of the visit.',
      example: 'campanha-',
    }),
    payerName: optionalText(payerName).meta({
      description: 'Name of the payer, if you have it; requires the document.',
    }),
    payerDocument: optionalText(document),
    pixExpiresIn: z
      .int()
      .min(60)
      .max(2_592_000)
      .default(3600)
      .meta({ description: 'Seconds until a Pix code of the link expires.', example: 3600 }),
    checkoutColor: optionalText(checkoutColor),
    color: olderNameOf('checkoutColor', optionalText(colour)),
    logo: logo
      .optional()
      .meta({ description: `${IMAGE} Defaults to the logo of your account.`, example: ONE_PIXEL }),
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

/** The body of a change of a payment link. Absent fields stay unchanged, and `null` clears a field. */
export const paymentLinkChange = z.object({
  description: description.optional(),
  isActive: z
    .boolean()
    .optional()
    .meta({ description: 'False means that no further buyer can begin to pay.' }),
  uses: uses
    .nullable()
    .optional()
    .meta({ description: 'Number of times that the link can be paid. Null means no limit.', example: 1 }),
  expiresAt: expiresAt
    .nullable()
    .optional()
    .meta({
      description:
        'Time until which buyers can begin to pay. A day counts in whole, in the time zone of your ' +
        'account. Null means no end.',
      example: '2026-12-31',
    }),
  returnUrl: returnUrl.nullable().optional().meta({
    description: 'Address to which a click returns the buyer. Null means no such address.',
    example: 'https://loja.example/obrigado',
  }),
  checkoutColor: checkoutColor.nullable().optional().meta({
    description: 'Colour of the checkout page. Null means the colour of your account.',
    example: '#0a7f5a',
  }),
  color: olderNameOf('checkoutColor', colour.nullable().optional()),
  logo: logo.nullable().optional().meta({
    description:
      'Image with the same rules as at the creation of the link. Null means the logo of your account.',
    example: ONE_PIXEL,
  }),
});
