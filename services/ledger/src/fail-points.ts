import { failPointsOf } from '@plataforma/observe';

/** The steps after which a process may die, each with the work that is done and not done. */
export const failPoint = failPointsOf({
  'facts.posted': 'entries, rows and wallets are written, not committed',
  'debit.taken': 'a debit is committed, its caller has no response',
  'wallet.changed': 'an operator’s change and its saved response are written, not committed',
  'receivables.claimed': 'due receivables are leased, not settled',
  'receivables.settled': 'due receivables are settled together',
  'books.checked': 'a part of the books is checked, the result is not recorded',
});
