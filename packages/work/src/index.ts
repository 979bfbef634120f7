export {
  type Backoff,
  type Doubling,
  delayAfter,
  delaySql,
  dueAfter,
  restUntil,
  type Steps,
} from './backoff.ts';
export { type Decision, decide, type Finding, type OrderTerms, type Watch } from './decide.ts';
export {
  type Claimed,
  type ExternalOrder,
  type ExternalOrderPolicy,
  externalOrder,
  type OrderQueue,
  type Readiness,
  type Settlement,
} from './external-order.ts';
export { createLease, type Lease, type LeasedRow, LeaseOver, type LeaseTerms } from './lease.ts';
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
export { type Claim, createQueue, type Queue, type QueueOptions } from './queue.ts';
export { type QueueWork, queueWork, startQueueWorkers } from './queue-workers.ts';
export { demandNext, next, type Table } from './state-table.ts';
