import { dayIn, oneIn, pageIn, type Search, textIn } from '../search.ts';

const types = [
  'CREDIT',
  'DEBIT',
  'FEE',
  'WITHDRAWAL',
  'REFUND',
  'DISPUTE_RESERVE',
  'DISPUTE_RELEASE',
  'DISPUTE_DEFICIT',
] as const;
const flows = ['in', 'out'] as const;

export const statementFilters = { types, flows };

export interface StatementSearch {
  type?: (typeof types)[number] | undefined;
  flow?: (typeof flows)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
  page?: number | undefined;
}

export function statementSearch(search: Search): StatementSearch {
  return {
    type: oneIn(search, 'type', types),
    flow: oneIn(search, 'flow', flows),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    search: textIn(search, 'search'),
    page: pageIn(search),
  };
}
