import { z } from 'zod';
import { colour, IMAGE, logo, ONE_PIXEL, timeZone } from '../fields.ts';
import { phone } from '../party.ts';

/** The body of a change of the account: only the fields sent are changed. */
export const accountChange = z.object({
  checkoutColor: colour.meta({ example: '#1f6feb' }).optional(),
  phone: phone.optional(),
  timeZone: timeZone.optional().meta({
    description: 'The zone whose days the API reads and answers, where a request names none.',
    example: 'America/Manaus',
  }),
});

/** The body of a change of its logo. */
export const accountLogoChange = z.object({
  logo: logo.nullable().meta({ description: `${IMAGE} Null: none.`, example: ONE_PIXEL }),
});
