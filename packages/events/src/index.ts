export {
  type Announcement,
  type DomainEvent,
  type EventData,
  type EventType,
  readEvent,
} from './catalogue.ts';
export { type MerchantSnapshot, merchantSnapshot, merchantStatuses } from './merchant-events.ts';
export {
  deadQueueOf,
  eventExchange,
  queueOf,
  type Subscriber,
  subscribers,
  subscriptions,
} from './topology.ts';
