import { auditChain, auditTable } from '@plataforma/data';
import { idempotencyOwners, idempotencyTable } from '@plataforma/http';
import {
  deadLetterSignatures,
  deadLettersTable,
  messagesByMonth,
  messagingTables,
  notTakenIndex,
} from '@plataforma/messaging';
import { anchorsTable, sandboxClocksTable } from '@plataforma/service';
import { journal } from './002-journal.ts';
import { wallets } from './003-wallets.ts';
import { entriesOfCharges } from './004-entries-of-charges.ts';
import { receivables } from './005-receivables.ts';
import { collectableDebt } from './006-collectable-debt.ts';
import { paymentsOfADay } from './007-payments-of-a-day.ts';
import { refundAnswers } from './008-refund-answers.ts';
import { withdrawals } from './009-withdrawals.ts';
import { debitAnswers } from './010-debit-answers.ts';
import { operators } from './011-operators.ts';
import { hashChain } from './012-hash-chain.ts';
import { walletOrdinals } from './013-wallet-ordinals.ts';
import { walletRowCounts } from './014-wallet-row-counts.ts';
import { walletSnapshots } from './015-wallet-snapshots.ts';
import { bookChecks } from './016-book-checks.ts';
import { bookedWallets } from './023-booked-wallets.ts';
import { receivableDays } from './024-receivable-days.ts';
import { entryNames } from './025-entry-names.ts';
import { chainRanges } from './026-chain-ranges.ts';
import { keptPlans } from './027-kept-plans.ts';
import { journalHeads } from './028-journal-heads.ts';
import { keptReceivables } from './029-kept-receivables.ts';
import { movedClocks } from './030-moved-clocks.ts';
import { settledReceivables } from './031-settled-receivables.ts';
import { settledDays } from './032-settled-days.ts';
import { rowNames } from './038-row-names.ts';
import { announcedDays } from './039-announced-days.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [
  messagingTables,
  journal,
  wallets,
  entriesOfCharges,
  receivables,
  collectableDebt,
  paymentsOfADay,
  refundAnswers,
  withdrawals,
  debitAnswers,
  auditTable,
  operators,
  hashChain,
  walletOrdinals,
  walletRowCounts,
  walletSnapshots,
  auditChain,
  deadLettersTable,
  idempotencyTable,
  idempotencyOwners,
  bookChecks,
  deadLetterSignatures,
  bookedWallets,
  receivableDays,
  entryNames,
  chainRanges,
  keptPlans,
  anchorsTable,
  journalHeads,
  notTakenIndex,
  keptReceivables,
  sandboxClocksTable,
  movedClocks,
  settledReceivables,
  settledDays,
  rowNames,
  announcedDays,
  ...messagesByMonth,
];
