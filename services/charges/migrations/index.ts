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
import { chargeSums } from './041-charge-sums.ts';
import { chargesListed, chargesSearched } from './041-charges-searched.ts';
import { undoneChargebacks } from './072-undone-chargebacks.ts';
import { bankIds } from './073-bank-ids.ts';
import { undecidedDisputes } from './076-undecided-disputes.ts';
import { disputeDebts } from './077-dispute-debts.ts';
import { checkoutEnds } from './078-checkout-ends.ts';
import { checkoutsBeforeEnds } from './079-checkouts-before-ends.ts';
import { checkoutEndIndexes } from './080-checkout-end-indexes.ts';
import { paidUses } from './081-paid-uses.ts';
import { orderExternalIds, visitExternalIds } from './082-visit-external-ids.ts';
import { buyersOfLinks, visitsOfBuyers } from './083-buyers-of-links.ts';
import { callersOfVisits } from './083-callers-of-visits.ts';
import { singleOrders } from './083-single-orders.ts';
import { linksWithLogos } from './084-links-with-logos.ts';
import { paidCallers } from './086-paid-callers.ts';
import { rowSeals } from './087-row-seals.ts';
import { disputeOpeners } from './088-dispute-openers.ts';
import { forwardRows } from './089-forward-rows.ts';

/**
 * The migrations in order. Never edit a released migration: a database that has run it does not run it again.
 */
export const migrations = [
  sharedTables,
  orderTables,
  baselineOf({ folder: import.meta.dirname, covers: LAST_OF_RELEASE }),
  undecidedDisputes,
  undoneChargebacks,
  disputeDebts,
  bankIds,
  checkoutEnds,
  checkoutsBeforeEnds,
  checkoutEndIndexes,
  paidUses,
  visitExternalIds,
  orderExternalIds,
  singleOrders,
  callersOfVisits,
  linksWithLogos,
  buyersOfLinks,
  visitsOfBuyers,
  paidCallers,
  outboxSeals,
  merchantSeals,
  comparedEvents,
  rowSeals,
  disputeOpeners,
  proposalTable,
  ...chargeSums,
  plainText,
  // `sealedResponses` precedes an online migration, so that no transaction locks both responses and charges.
  sealedResponses,
  forwardProposals,
  chargesSearched,
  chargesListed,
  forwardRows,
];
