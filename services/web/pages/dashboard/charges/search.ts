import { dayIn, idIn, oneIn, pageIn, type Search, textIn } from '../search.ts';

const statuses = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED'] as const;
const methods = ['PIX', 'CARD', 'BOLETO'] as const;

/** The filters of the list, as its URL has them. */
export interface ChargesSearch {
  status?: (typeof statuses)[number] | undefined;
  method?: (typeof methods)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
  /** The payment link that has made them. */
  link?: string | undefined;
  page?: number | undefined;
}

export const chargeFilters = { statuses, methods };

export function chargesSearch(search: Search): ChargesSearch {
  return {
    status: oneIn(search, 'status', statuses),
    method: oneIn(search, 'method', methods),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    search: textIn(search, 'search'),
    link: idIn(search, 'link'),
    page: pageIn(search),
  };
}
