export { aggregateIn, aggregateOf } from './aggregate.ts';
export { type AnchorPage, anchorPage, findAnchorPage } from './anchors/anchor-page.ts';
export { beginChainEpoch, startAnnouncingHeads } from './anchors/announce-heads.ts';
export { auditLogChain, type Chain, type Head, headsIn } from './anchors/chain.ts';
export { readAnchorContradictions, savingAnchors } from './anchors/keep-anchors.ts';
export { announce, eventsToSeal, OUTBOX_SIGNAL, sealedOutbox, withEnvelope } from './announce.ts';
export { writeAudit } from './audit.ts';
export { auditHashOf, chainVerifier, listAudit, verifyAudit } from './audit-reading.ts';
export { TIMELINE_LIMIT } from './audit-timeline.ts';
export {
  baselineOf,
  inboxByMonth,
  LAST_OF_RELEASE,
  merchantSeals,
  messageRetention,
  orderTables,
  outboxByMonth,
  outboxSeals,
  sharedTables,
} from './baseline.ts';
export type { EventRange, EventSum } from './comparisons/event-sum.ts';
export { comparedEvents } from './comparisons/migration.ts';
export {
  type Compared,
  dueMissing,
  forgetMissing,
  idBefore,
  listPublished,
  movePosition,
  publishAgain,
  publishedRange,
  readComparisons,
  recordMissing,
  recordReceived,
  sumPublished,
  takeDueComparisons,
} from './comparisons/published.ts';
export {
  findComparedPosition,
  findMissing,
  moveComparedPosition,
  type Sender,
  sumReceived,
} from './comparisons/received.ts';
export {
  type DeadLetter,
  eventIn,
  findDeadLetter,
  listDeadLetters,
  lockDeadLetter,
  markReplayed,
  type NewDeadLetter,
  pruneDeadLetters,
  saveDeadLetter,
  startPruningDeadLetters,
} from './dead-letters.ts';
export { forwardProposals, forwardSql } from './forward-rows.ts';
export { readDeadLetters, readOutbox } from './gauges.ts';
export {
  findRequestProgress,
  type KeyedRequest,
  type KeyOwner,
  KeyTaken,
  type RequestProgress,
  recordStart,
  responsesToSeal,
  type SavedResponse,
  saveResponse,
  sealedResponses,
  startForgettingKeys,
} from './idempotency.ts';
export { type Apply, claimUnapplied } from './inbox.ts';
export {
  keepPartitions,
  type RetainedPartitions,
  readPartitions,
  startPartitions,
} from './keep-partitions.ts';
export { listSums } from './list-sums.ts';
export { dayFunctionSql, type Partitions, rangesSql } from './partitions.ts';
export { plainText } from './plain-text.ts';
export { proposalTable } from './proposals/migration.ts';
export {
  findSameProposal,
  forgetArgument,
  insertProposal,
  lockProposal,
  type Proposal,
  type ProposalRow,
  proposalsToSeal,
  readProposalGauges,
  readProposals,
  saveProposal,
  sealedProposals,
  timeOf,
} from './proposals/proposal.ts';
export { proposalsAbout } from './proposals/timeline.ts';
export {
  createRowSeals,
  isTrusted,
  requireTrusted,
  rowSealModes,
  sealedText,
  sealOf,
} from './row-seals.ts';
export { rowsToSeal, type SealedRows, type Sealing, saveSeal, sealRows } from './seal-rows.ts';
export {
  activeStops,
  endersOf,
  findSameStop,
  insertStop,
  isStopped,
  isStoppedSql,
  lockStop,
  type OperatorStep,
  type OrderStop,
  readStops,
  saveStop,
  stopView,
} from './stops/stop.ts';
export { makeStoppedDue, readStopGauges, type StoppedOrders } from './stops/stopped-orders.ts';
export { messagesAbout } from './timeline.ts';
