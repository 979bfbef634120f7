import { z } from 'zod';
import { bearer, type Definition, endpointsOf } from '../endpoint.ts';
import { nullableText, ONE_PIXEL } from '../fields.ts';
import { accountLogoChange } from '../forms/account-change.ts';

const accountLogo = z
  .object({
    logo: nullableText.meta({ description: 'A data URI; null: none.', example: ONE_PIXEL }),
  })
  .meta({ id: 'AccountLogo' });

/** The account's, as `checkoutColor` is, in both environments; stored beside the checkouts that show it. */
export const accountLogos = endpointsOf('charges', {
  getAccountLogo: {
    route: 'GET /v1/account/logo',
    access: bearer,
    summary: 'Read the logo of the checkout',
    description: 'What buyers see beside your name; a payment link may have one of its own.',
    data: accountLogo,
  },

  changeAccountLogo: {
    route: 'PATCH /v1/account/logo',
    access: bearer,
    summary: 'Change the logo of the checkout, or take it away',
    description:
      'Buyers see it beside your name on each page on which they pay and on its receipt, unless the payment link has a ' +
      'logo of its own. The next page that is opened shows it.',
    body: accountLogoChange,
    examples: [{ summary: 'No logo', body: { logo: null } }],
    data: accountLogo,
  },
} as const satisfies Record<string, Definition>);
