export { deadLetterRoutes } from './dead-letter-routes.ts';
export { declareTopology } from './declare-topology.ts';
export { type Listener, listen } from './listen.ts';
export { type LiveUpdate, type LiveUpdates, startLiveUpdates } from './live-updates.ts';
export { type Relay, startRelay } from './relay.ts';
export {
  createSignaturePolicy,
  type SignaturePolicy,
  type SignatureRules,
  signatureModes,
} from './signatures.ts';
export { openTap, type Tap } from './tap.ts';
