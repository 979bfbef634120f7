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
const views = ['available'] as const;

export const statementFilters = { types, flows };

export interface StatementSearch {
  /** Left out: every movement, also of pending money. */
  view?: (typeof views)[number] | undefined;
  type?: (typeof types)[number] | undefined;
  flow?: (typeof flows)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
  page?: number | undefined;
}

/** The available balance is narrowed by its period alone. */
export function statementSearch(search: Search): StatementSearch {
  const view = oneIn(search, 'view', views);
  const period = { from: dayIn(search, 'from'), to: dayIn(search, 'to'), page: pageIn(search) };
  if (view) return { view, ...period };
  return {
    type: oneIn(search, 'type', types),
    flow: oneIn(search, 'flow', flows),
    search: textIn(search, 'search'),
    ...period,
  };
}
