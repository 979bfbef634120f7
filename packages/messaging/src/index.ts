export { announce } from './announce.ts';
export type { Apply } from './consumer.ts';
export { deadLetterRoutes } from './dead-letter-routes.ts';
export { deadLettersTable } from './dead-letters-table.ts';
export { type Listener, listen } from './listen.ts';
export { startPruning } from './prune.ts';
export { type Relay, startRelay } from './relay.ts';
export { messagingTables } from './tables.ts';
export { announcedIndex, messagesAbout } from './timeline.ts';
