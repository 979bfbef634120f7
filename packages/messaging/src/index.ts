export { announce } from './announce.ts';
export { type Listener, listen } from './listen.ts';
export { startPruning } from './prune.ts';
export { type Relay, startRelay } from './relay.ts';
export { messagingTables } from './tables.ts';
