export {
  accessOf,
  type BrokerAccess,
  type BrokerUser,
  brokerUsers,
  limitsOf,
  liveQueuePolicy,
  MAX_MESSAGE_BYTES,
  vhostLimits,
} from './broker-access.ts';
export {
  type Announcement,
  type DomainEvent,
  type EventData,
  type EventType,
  isSeveral,
  readEvent,
  readEvents,
  textOfLiveUpdates,
} from './catalogue.ts';
export { type AnchorType, anchorTypes, chains, isAnchorType } from './chain-events.ts';
export { isLiveUpdate, type LiveUpdateType } from './live-updates.ts';
export { type MerchantSnapshot, merchantSnapshot, merchantStatuses } from './merchant-events.ts';
export { type PageUpdate, pageUpdateOf, pageUpdateTypeOf } from './page-update-of.ts';
export { isPageUpdate, type PageUpdateType, pageUpdateTypes } from './page-updates.ts';
export {
  anchorTypeOf,
  isEventType,
  isProducer,
  type Producer,
  producerOf,
  producers,
  producersFor,
  typesOf,
} from './producers.ts';
export {
  createEventSigner,
  createEventVerifier,
  type EventKey,
  type EventSigner,
  type EventVerifier,
  MOST_SIGNED_AT_ONCE,
  SIGNATURE_HEADER,
  type Signed,
  type Verdict,
  verdicts,
} from './signatures.ts';
export {
  deadExchange,
  deadQueueOf,
  eventExchange,
  type Queue,
  queueOf,
  queuesOf,
  type Subscriber,
  subscribers,
  subscriptions,
  typesFor,
} from './topology.ts';
