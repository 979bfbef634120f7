export { announce } from './announce.ts';
export type { Apply } from './consumer.ts';
export { deadLetterRoutes } from './dead-letter-routes.ts';
export { deadLetterSignatures, deadLettersTable } from './dead-letters-table.ts';
export { type Hint, type Hints, startHints } from './hints.ts';
export { type Listener, listen } from './listen.ts';
export { type Relay, startRelay } from './relay.ts';
export { createInspector, type Inspector, type SignatureRules, signatureModes } from './signatures.ts';
export {
  inboxByMonth,
  messagesByMonth,
  messagesKept,
  messagingTables,
  notTakenIndex,
  outboxByMonth,
} from './tables.ts';
export { openTap, type Tap } from './tap.ts';
export { announcedIndex, messagesAbout } from './timeline.ts';
export { declareTopology } from './topology.ts';
