import { failPointsOf } from '@plataforma/observe';

/** The steps of the ledger after which the death of a process matters: what is done and not done there. */
export const failPoint = failPointsOf({
  'facts.posted': 'entries, rows and wallets are written, not committed',
  'debit.taken': 'a debit is committed, whoever asked is not answered',
  'wallet.changed': 'an operator’s change and its kept answer are written, not committed',
  'receivables.claimed': 'due receivables are leased, not settled',
  'receivables.settled': 'due receivables are settled together',
  'books.checked': 'a part of the books is looked at, that is not noted',
});
