import { period, type Search, searchOf, textIn } from '../search.ts';

const type = [
  'CREDIT',
  'DEBIT',
  'FEE',
  'WITHDRAWAL',
  'REFUND',
  'DISPUTE_RESERVE',
  'DISPUTE_RELEASE',
  'DISPUTE_DEFICIT',
] as const;
const flow = ['in', 'out'] as const;

export const statementFilters = { type, flow };

const availableSearch = searchOf({ view: ['available'], ...period });
const ledgerSearch = searchOf({ ...statementFilters, search: textIn, ...period });

/** Without a view the statement has every movement, also of pending money. */
export type StatementSearch = ReturnType<typeof availableSearch> & ReturnType<typeof ledgerSearch>;

/** The available balance is narrowed by its period alone. */
export function statementSearch(search: Search): StatementSearch {
  const available = availableSearch(search);
  const ledger = ledgerSearch(available.view ? {} : search);
  return { view: available.view, ...ledger, ...available };
}
