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
import { charges } from './003-charges.ts';
import { payments } from './004-payments.ts';
import { cards } from './005-cards.ts';
import { refunds } from './006-refunds.ts';
import { disputes } from './007-disputes.ts';
import { unexpectedPayments } from './008-unexpected-payments.ts';
import { onceEach } from './009-once-each.ts';
import { unanswered } from './010-unanswered.ts';
import { cardTokens } from './011-card-tokens.ts';
import { cardAttempts } from './012-card-attempts.ts';
import { refundEnds } from './013-refund-ends.ts';
import { dueRefundsIndex, leasedRefunds } from './014-leased-refunds.ts';
import { leasedCharges } from './015-leased-charges.ts';
import { stops } from './016-stops.ts';
import { listLeases } from './018-list-leases.ts';
import { livingExternalIds, oldExternalIds } from './019-living-external-ids.ts';
import { externalIdTails } from './020-external-id-tails.ts';
import { metadata } from './021-metadata.ts';
import { ownLists } from './022-own-lists.ts';
import { metadataIndex } from './023-metadata-index.ts';
import { chargeCounts, chargesBeforeCounts } from './029-charge-counts.ts';
import { chargeLists, oldChargeList } from './031-charge-lists.ts';
import { chargesBeforeVolumes, chargeVolumes } from './040-charge-volumes.ts';
import { unansweredCharges, unansweredIndex } from './044-unanswered-charges.ts';
import { chargeCounters } from './046-appended-counters.ts';
import { externalIds, externalIdsBefore } from './049-external-ids.ts';
import { fewerIndexes } from './051-fewer-indexes.ts';
import { comparedCounters } from './052-compared-counters.ts';
import { chargesBeforeListed, listedCharges } from './056-listed-charges.ts';
import { chargesBeforeSound, soundCharges } from './058-sound-charges.ts';
import { paymentLinks } from './061-payment-links.ts';
import { checkouts } from './062-checkouts.ts';
import { chargesOfLinks } from './063-charges-of-links.ts';
import { linkCards } from './064-link-cards.ts';
import { disputeFiles } from './065-dispute-files.ts';
import { reconciliations } from './066-reconciliations.ts';
import { cancelledAt } from './067-cancelled-at.ts';
import { merchantLogos } from './068-merchant-logos.ts';
import { sealingKeys } from './069-sealing-keys.ts';
import { pendingInSandboxes } from './071-pending-in-sandboxes.ts';
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

/** In order; a migration that has landed is never edited. */
export const migrations = [
  messagingTables,
  merchantsTable,
  charges,
  payments,
  cards,
  refunds,
  disputes,
  unexpectedPayments,
  onceEach,
  auditTable,
  auditChain,
  deadLettersTable,
  idempotencyTable,
  idempotencyOwners,
  announcedIndex,
  unanswered,
  cardTokens,
  cardAttempts,
  refundEnds,
  leasedRefunds,
  dueRefundsIndex,
  leasedCharges,
  listLeases,
  stops,
  livingExternalIds,
  oldExternalIds,
  externalIdTails,
  deadLetterSignatures,
  metadata,
  ownLists,
  chargeCounts,
  chargesBeforeCounts,
  chargeLists,
  oldChargeList,
  metadataIndex,
  chargeVolumes,
  chargesBeforeVolumes,
  unansweredCharges,
  unansweredIndex,
  chargeCounters,
  externalIds,
  externalIdsBefore,
  fewerIndexes,
  comparedCounters,
  anchorsTable,
  listedCharges,
  chargesBeforeListed,
  soundCharges,
  chargesBeforeSound,
  paymentLinks,
  checkouts,
  chargesOfLinks,
  notTakenIndex,
  linkCards,
  disputeFiles,
  reconciliations,
  cancelledAt,
  merchantLogos,
  sealingKeys,
  sandboxClocksTable,
  pendingInSandboxes,
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
  ...messagesByMonth,
];
