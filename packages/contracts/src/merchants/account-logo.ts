import { z } from 'zod';
import { bearer, type Endpoint } from '../endpoint.ts';
import { ONE_PIXEL } from '../fields.ts';
import { accountLogoChange } from '../forms/account-change.ts';

const service = 'charges' as const;
const path = '/v1/account/logo';

const accountLogo = z
  .object({
    logo: z.string().nullable().meta({ description: 'A data URI; null: none.', example: ONE_PIXEL }),
  })
  .meta({ id: 'AccountLogo' });

/** Of the account as `checkoutColor` is, and of no environment; kept where the checkouts are that show it. */
export const accountLogos = {
  getAccountLogo: {
    method: 'get',
    path,
    service,
    access: bearer,
    summary: 'Read the logo of the checkout',
    description: 'What buyers see beside your name; a payment link may have one of its own.',
    status: 200,
    data: accountLogo,
    errors: [],
  },

  changeAccountLogo: {
    method: 'patch',
    path,
    service,
    access: bearer,
    summary: 'Change the logo of the checkout, or take it away',
    description:
      'Buyers see it beside your name on each page on which they pay and on its receipt, unless the payment link has a ' +
      'logo of its own. The next page that is opened shows it.',
    body: accountLogoChange,
    examples: [{ summary: 'No logo', body: { logo: null } }],
    status: 200,
    data: accountLogo,
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
