import { z } from 'zod';
import { IMAGE, logo, ONE_PIXEL, phone } from '../fields.ts';

/** The body of a change of the account: only the fields sent are changed. */
export const accountChange = z.object({
  checkoutColor: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour of the form #rrggbb')
    .meta({ example: '#1f6feb' })
    .optional(),
  phone: phone.optional(),
});

/** The body of a change of its logo. */
export const accountLogoChange = z.object({
  logo: logo.nullable().meta({ description: `${IMAGE} Null: none.`, example: ONE_PIXEL }),
});
