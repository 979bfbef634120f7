import { failPointsOf } from '@plataforma/observe';

/**
 * The points at which a test may kill the process. The value describes which work is done and which is not.
 */
export const failPoint = failPointsOf({
  'facts.posted': 'entries, rows and wallets are written, not committed',
  'debit.taken': 'a debit is committed, its caller has no response',
  'wallet.changed': 'an operator’s change and its saved response are written, not committed',
  'receivables.claimed': 'due receivables are leased, not settled',
  'receivables.settled': 'due receivables are settled together',
  'books.checked': 'a part of the books is checked, the result is not recorded',
});
