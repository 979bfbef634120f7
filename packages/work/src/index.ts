export {
  type Backoff,
  type Doubling,
  delayAfter,
  delaySql,
  dueAfter,
  restUntil,
  type Steps,
} from './backoff.ts';
export {
  type ExternalOrder,
  type ExternalOrderPolicy,
  externalOrder,
  type OrderDecision,
  type Readiness,
} from './external-order.ts';
export {
  type Claimed,
  claimedOf,
  createLease,
  type Lease,
  type Leased,
  type LeasedRow,
  type LeaseOptions,
  LeaseOver,
} from './lease.ts';
export {
  type Decision,
  nextOrderState,
  type OrderInput,
  type OrderOptions,
  type Watch,
} from './next-order-state.ts';
export {
  type Alarm,
  isEnd,
  type OrderState,
  type OrderStatus,
  type OrderVerb,
  orderStatuses,
  orderTransitions,
  orderVerbs,
  type ProviderOutcome,
  type RefusedOrder,
} from './order-state.ts';
export {
  createQueue,
  type LeaseRef,
  type LeaseRequest,
  type LeaseRequestOfOne,
  type Queue,
  type QueueOptions,
} from './queue.ts';
export { leasedWork, type QueueWork, queueWork, startQueueWorkers } from './queue-workers.ts';
