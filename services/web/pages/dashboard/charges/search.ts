import { idIn, period, searchOf, textIn } from '../search.ts';

export const chargeFilters = {
  status: ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED'],
  method: ['PIX', 'CARD', 'BOLETO'],
} as const;

/** `link` is the payment link that made the charges. */
export const chargesSearch = searchOf({ ...chargeFilters, ...period, search: textIn, link: idIn });
