import { auditChain, auditTable } from '@plataforma/data';
import { idempotencyOwners, idempotencyTable } from '@plataforma/http';
import {
  announcedIndex,
  deadLetterSignatures,
  deadLettersTable,
  messagesByMonth,
  messagingTables,
  notTakenIndex,
} from '@plataforma/messaging';
import { anchorsTable, merchantsTable, sandboxClocksTable } from '@plataforma/service';
import { destinations } from './010-destinations.ts';
import { withdrawals } from './011-withdrawals.ts';
import { settledAlarms } from './012-settled-alarms.ts';
import { leases } from './013-leases.ts';
import { payoutAlarmKinds } from './014-payout-alarm-kinds.ts';
import { stops } from './015-stops.ts';
import { withdrawalCounts, withdrawalsBeforeCounts } from './020-withdrawal-counts.ts';
import { withdrawalLists } from './022-withdrawal-lists.ts';
import { walletProofs } from './026-wallet-proofs.ts';
import { withdrawalCounters } from './027-appended-counters.ts';
import { alarmsSettledByComparison } from './028-alarms-settled-by-comparison.ts';
import { comparedCounters } from './029-compared-counters.ts';
import { alarmProposals } from './030-alarm-proposals.ts';
import { failureDetails } from './031-failure-details.ts';
import { payeeNames } from './032-payee-names.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [
  messagingTables,
  merchantsTable,
  idempotencyTable,
  auditTable,
  destinations,
  withdrawals,
  idempotencyOwners,
  auditChain,
  deadLettersTable,
  announcedIndex,
  settledAlarms,
  leases,
  payoutAlarmKinds,
  stops,
  deadLetterSignatures,
  withdrawalCounts,
  withdrawalsBeforeCounts,
  withdrawalLists,
  walletProofs,
  withdrawalCounters,
  alarmsSettledByComparison,
  comparedCounters,
  anchorsTable,
  alarmProposals,
  notTakenIndex,
  sandboxClocksTable,
  ...messagesByMonth,
  failureDetails,
  payeeNames,
];
