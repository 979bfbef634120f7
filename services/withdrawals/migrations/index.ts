import {
  baselineOf,
  comparedEvents,
  forwardProposals,
  LAST_OF_RELEASE,
  merchantSeals,
  orderTables,
  outboxSeals,
  plainText,
  proposalTable,
  sealedResponses,
  sharedTables,
} from '@plataforma/tables';
import { failureDetails } from './031-failure-details.ts';
import { payeeNames } from './032-payee-names.ts';
import { rowSeals } from './033-row-seals.ts';
import { recipientLookups } from './040-recipient-lookups.ts';
import { withdrawalSums } from './042-withdrawal-sums.ts';
import { withdrawalsByStatus, withdrawalsSearched } from './042-withdrawals-searched.ts';
import { approvalReasons } from './043-approval-reasons.ts';
import { signedOrders } from './046-signed-orders.ts';
import { forwardWithdrawals } from './047-forward-withdrawals.ts';
import { payeeDocuments } from './048-payee-documents.ts';

/**
 * The migrations in order. Never change a released migration, because databases that have run it do not run
 * it again.
 */
export const migrations = [
  sharedTables,
  orderTables,
  baselineOf({ folder: import.meta.dirname, covers: LAST_OF_RELEASE }),
  failureDetails,
  payeeNames,
  outboxSeals,
  merchantSeals,
  rowSeals,
  approvalReasons,
  comparedEvents,
  proposalTable,
  signedOrders,
  ...withdrawalSums,
  plainText,
  withdrawalsSearched,
  withdrawalsByStatus,
  recipientLookups,
  sealedResponses,
  forwardProposals,
  forwardWithdrawals,
  payeeDocuments,
];
