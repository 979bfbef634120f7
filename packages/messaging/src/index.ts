export { deadLetterRoutes } from './dead-letter-routes.ts';
export { type Hint, type Hints, startHints } from './hints.ts';
export { type Listener, listen } from './listen.ts';
export { type Relay, startRelay } from './relay.ts';
export {
  createSignaturePolicy,
  type SignaturePolicy,
  type SignatureRules,
  signatureModes,
} from './signatures.ts';
export { openTap, type Tap } from './tap.ts';
export { declareTopology } from './topology.ts';
