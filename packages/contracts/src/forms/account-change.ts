import { z } from 'zod';
import { timeZone } from '../days.ts';
import { colour, IMAGE, logo, ONE_PIXEL } from '../fields.ts';
import { phone } from '../party.ts';

/** The body of a change of the account. Fields that are absent stay unchanged. */
export const accountChange = z.object({
  checkoutColor: colour.meta({ example: '#1f6feb' }).optional(),
  phone: phone.optional(),
  timeZone: timeZone.optional().meta({
    description:
      'Time zone for days in requests to the API and in its responses, when a request names no other.',
    example: 'America/Manaus',
  }),
});

export const accountLogoChange = z.object({
  logo: logo.nullable().meta({ description: `${IMAGE} Null means no logo.`, example: ONE_PIXEL }),
});
