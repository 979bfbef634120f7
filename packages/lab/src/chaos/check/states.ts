import { aheadOf } from './ahead.ts';
import { audited } from './audited.ts';
import { counted } from './counted.ts';
import { brokenRules, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, lost, violation } from './finding.ts';
import { type Announced, readAnnounced } from './outboxes.ts';

/**
 * The event types that may follow each event type of the same object. An empty name stands for the beginning.
 */
const successors: Record<string, readonly string[]> = {
  '': [
    'charge.paid',
    'charge.expired',
    'checkout.completed',
    'checkout.expired',
    'dispute.opened',
    'unexpected_payment.received',
    'withdrawal.processing',
    'withdrawal.completed',
    'withdrawal.failed',
    'withdrawal.rejected',
    'withdrawal.abandoned',
    'merchant.updated',
  ],
  'charge.paid': ['charge.refunded', 'refund.refused', 'charge.refund_failed'],
  'charge.refunded': ['refund.refused'],
  'refund.refused': ['charge.refund_failed', 'charge.refunded', 'refund.refused'],
  'charge.refund_failed': ['charge.refunded', 'refund.refused', 'charge.refund_failed'],
  'checkout.expired': ['checkout.completed'],
  'dispute.opened': ['dispute.updated', 'dispute.resolved'],
  'dispute.updated': ['dispute.updated', 'dispute.resolved'],
  'withdrawal.processing': ['withdrawal.completed', 'withdrawal.failed'],
  'unexpected_payment.received': ['unexpected_payment.returned'],
  'merchant.updated': ['merchant.updated'],
};

/**
 * The types that the newest event of an object may have, by the object's state. A lost dispute makes a charge
 * REFUNDED without a new event of the charge, because the dispute has an event.
 */
const lastEventTypes: Record<string, readonly string[]> = {
  'charge PENDING': [''],
  'charge CANCELLED': [''],
  'charge DECLINED': [''],
  'charge EXPIRED': ['charge.expired'],
  'charge PAID': ['charge.paid', 'refund.refused', 'charge.refund_failed'],
  'charge DISPUTED': ['charge.paid', 'refund.refused', 'charge.refund_failed'],
  'charge REFUNDED': ['charge.refunded', 'refund.refused'],
  'charge REFUNDED by dispute': ['charge.paid', 'charge.refunded', 'refund.refused', 'charge.refund_failed'],
  'checkout open': [''],
  'checkout EXPIRED': ['checkout.expired'],
  'checkout COMPLETED': ['checkout.completed'],
  'dispute OPEN': ['dispute.opened', 'dispute.updated'],
  'dispute UNDER_REVIEW': ['dispute.opened', 'dispute.updated'],
  'dispute RESOLVED_MERCHANT': ['dispute.resolved'],
  'dispute RESOLVED_CUSTOMER': ['dispute.resolved'],
  'dispute CANCELLED': ['dispute.resolved'],
  'payment RETURNING': ['unexpected_payment.received'],
  'payment RETURN_REFUSED': ['unexpected_payment.received'],
  'payment RETURNED': ['unexpected_payment.returned'],
  'withdrawal PROCESSING': ['', 'withdrawal.processing'],
  'withdrawal COMPLETED': ['withdrawal.completed'],
  'withdrawal FAILED': ['withdrawal.failed'],
  'withdrawal REJECTED': ['withdrawal.rejected'],
  'withdrawal ABANDONED': ['withdrawal.abandoned'],
};
const NO_EVENT: readonly string[] = [''];

type Thing = { id: string; state: string };

const OF_CHARGES = `
  SELECT id, concat('charge ', status, CASE WHEN status = 'REFUNDED' AND refund_reason = 'dispute'
    THEN ' by dispute' END) AS state FROM charges
  UNION ALL SELECT id, concat('checkout ', CASE WHEN use = 'USED' AND sequence > 0 THEN 'COMPLETED'
    WHEN sequence > 0 THEN 'EXPIRED' ELSE 'open' END) FROM checkouts
  UNION ALL SELECT id, concat('dispute ', status) FROM disputes
  UNION ALL SELECT id, concat('payment ', status) FROM unexpected_payments`;
const OF_WITHDRAWALS = `SELECT id, concat('withdrawal ', status) AS state FROM withdrawals`;

/**
 * Rules about due times. The service and the database share a clock, but read it at different moments of one
 * query. The rules tolerate that difference.
 */
const timely = {
  'a charge that expired before its time': `
    SELECT concat(c.id, ' at ', o.created_at, ', due at ', c.expires_at) AS what
    FROM outbox o JOIN charges c ON c.id = (o.body::jsonb ->> 'aggregateId')::uuid
    WHERE o.type = 'charge.expired' AND o.created_at < c.expires_at - ${aheadOf('c')} - interval
    '100 milliseconds'`,
};

const notifiedOnce = {
  'an unexpected payment that was announced twice': `
    SELECT concat(body::jsonb ->> 'aggregateId', ', number ', body::jsonb ->> 'sequence') AS what
    FROM outbox WHERE type = 'payment.unexpected' GROUP BY 1 HAVING count(*) > 1`,
};

/**
 * Invariant 6. Checks that an object's events follow the state table without a gap, match the object's state,
 * and occur once. Decisions by operators need an entry in the audit log. Counters must count each object
 * once.
 */
export async function checkStates({ databases }: Evidence): Promise<Finding[]> {
  // Event types that change no state of their object. The checks below ignore these events.
  const stateless = [
    'payment.unexpected',
    'refund.created',
    'receivable.settled',
    'api_key.expiring',
    'merchant.clock_moved',
  ];
  const announced = (await readAnnounced(databases)).filter(({ type }) => !stateless.includes(type));
  const eventsByAggregate = Map.groupBy(announced, ({ aggregate }) => aggregate);
  const things = [
    ...(await rowsOf<Thing>(databases.charges, OF_CHARGES)),
    ...(await rowsOf<Thing>(databases.withdrawals, OF_WITHDRAWALS)),
  ];
  const ids = new Set(things.map(({ id }) => id));
  return [
    ...[...eventsByAggregate.values()].flatMap(followed),
    ...[...eventsByAggregate.values()].flat().flatMap(({ id, type, aggregate }) => {
      if (ids.has(aggregate) || type === 'merchant.updated') return [];
      return [lost(6, `${type} (${id}) announced ${aggregate}, which does not exist`)];
    }),
    ...things.flatMap((thing) => ended(thing, eventsByAggregate.get(thing.id) ?? [])),
    ...(await brokenRules(databases.gateway, 6, audited.gateway)),
    ...(await brokenRules(databases.charges, 6, {
      ...{ ...timely, ...notifiedOnce },
      ...{ ...audited.charges, ...counted.charges },
    })),
    ...(await brokenRules(databases.withdrawals, 6, { ...audited.withdrawals, ...counted.withdrawals })),
    ...(await brokenRules(databases.ledger, 6, { ...audited.ledger, ...counted.ledger })),
    ...(await brokenRules(databases.webhooks, 6, audited.webhooks)),
  ];
}

function followed(events: readonly Announced[]): Finding[] {
  const inOrder = events.toSorted((left, right) => left.sequence - right.sequence);
  return inOrder.flatMap(({ id, type, aggregate, sequence }, index) => {
    const before = inOrder[index - 1];
    const event = `${type} (${id}) of ${aggregate}, number ${sequence},`;
    if (!mayFollow(before?.sequence ?? 0, { type, sequence }))
      return [violation(6, `${event} follows number ${before?.sequence ?? 'nothing'}`)];
    if (successors[before?.type ?? '']?.includes(type)) return [];
    return [violation(6, `${event} follows ${before?.type ?? 'nothing'}`)];
  });
}

/**
 * Returns whether an event's number may follow `before`, the number of the previous event. One number may be
 * missing before a withdrawal's first event: an approval takes a number, but no outbox contains it.
 */
function mayFollow(before: number, { type, sequence }: Pick<Announced, 'type' | 'sequence'>): boolean {
  const liveUpdates = before === 0 && type.startsWith('withdrawal.') ? 1 : 0;
  return sequence > before && sequence <= before + 1 + liveUpdates;
}

function ended({ id, state }: Thing, events: readonly Announced[]): Finding[] {
  const last = events.toSorted((left, right) => left.sequence - right.sequence).at(-1)?.type ?? '';
  if ((lastEventTypes[state] ?? NO_EVENT).includes(last)) return [];
  const what = `${id} is now “${state}”, and the last that was told of it is ${last || 'nothing'}`;
  return [last === '' ? lost(6, what) : violation(6, what)];
}
