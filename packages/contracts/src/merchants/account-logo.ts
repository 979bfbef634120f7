import { z } from 'zod';
import { bearer, type Definition, endpointsOf } from '../endpoint.ts';
import { nullableText, ONE_PIXEL } from '../fields.ts';
import { accountLogoChange } from '../forms/account-change.ts';

const accountLogo = z
  .object({
    logo: nullableText.meta({ description: 'Image as a data URI. Null means no image.', example: ONE_PIXEL }),
  })
  .meta({ id: 'AccountLogo' });

/**
 * The logo of an account, which is the same in both environments, like `checkoutColor`. The charges service
 * stores it, because its checkouts show it.
 */
export const accountLogos = endpointsOf('charges', {
  getAccountLogo: {
    route: 'GET /v1/account/logo',
    access: bearer,
    summary: 'Read the logo of the checkout',
    description: 'Returns the image that buyers see beside your name. A payment link may have its own logo.',
    data: accountLogo,
  },

  changeAccountLogo: {
    route: 'PATCH /v1/account/logo',
    access: bearer,
    summary: 'Change or remove the logo of the checkout',
    description:
      'Buyers see the logo beside your name on each page on which they pay, and on its receipt. A payment ' +
      'link with its own logo shows that logo instead. The change applies to the next page that a buyer ' +
      'opens.',
    body: accountLogoChange,
    examples: [{ summary: 'No logo', body: { logo: null } }],
    data: accountLogo,
  },
} as const satisfies Record<string, Definition>);
