import { z } from 'zod';
import type { Acknowledged } from './calls.ts';
import type { tables } from './promised-tables.ts';

export type Row = Record<string, unknown>;

/**
 * A rule that compares an acknowledged response with the row in the database. The path or the response
 * contains the row's `id`.
 */
export interface Promised {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  table: keyof typeof tables;
  isKept(now: Row, ack: Acknowledged): boolean;
  /**
   * Returns the id of the row with which the response is compared. Required if neither the path nor the field
   * `id` of the response contains this id.
   */
  idOf?(ack: Acknowledged): unknown;
}

/** The tolerance for times. Clients and databases read the same clock at slightly different moments. */
const TOLERANCE_MS = 1_000;

const WAS_PAID = ['PAID', 'REFUNDED', 'DISPUTED'];
const has = (now: Row, column: string, ...values: readonly unknown[]) => values.includes(now[column]);

/**
 * The statuses that an object may have after a response reported its status. A charge that was reported as
 * paid never becomes unpaid. A cancelled charge stays cancelled, because later money is returned.
 */
const later: Record<string, readonly string[]> = {
  'charge PENDING': ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED'],
  'charge PAID': WAS_PAID,
  'charge REFUNDED': WAS_PAID,
  'charge DISPUTED': WAS_PAID,
  'withdrawal PENDING': ['PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED'],
  'withdrawal APPROVED': ['APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED'],
  'withdrawal PROCESSING': ['PROCESSING', 'COMPLETED', 'FAILED'],
};

/**
 * Returns whether the row's status may follow the reported status. A status that is not in `later` is final.
 */
function mayBe(now: Row, thing: 'charge' | 'withdrawal', reportedStatus: unknown): boolean {
  return has(now, 'status', ...(later[`${thing} ${reportedStatus}`] ?? [reportedStatus]));
}

/** The fields of a row of the merchant's account statement. None of these fields may change. */
const OF_ROWS = [
  'type',
  'amount',
  'description',
  'chargeId',
  'withdrawalId',
  'paymentMethod',
  'balanceAfter',
];

/** A response with a proposal, which changes nothing yet. During an upgrade two operators may be needed. */
export const proposed: Promised = {
  ...{ method: 'POST', path: /^\/v1\/admin\//, table: 'proposals' },
  isKept: (now, { data }) => now.amount === data.amount,
};

export const promises: readonly Promised[] = [
  {
    method: 'GET',
    path: /^\/v1\/charges(?:\/([^/?]+)|\?.*)?$/,
    table: 'charges',
    // A card charge that was reported as PENDING may still be declined, so any status may follow.
    isKept: (now, { data }) => data.status === 'PENDING' || mayBe(now, 'charge', data.status),
  },
  ...(['GET', 'POST'] as const).map(
    (method): Promised => ({
      method,
      // The checker takes the visit's id from the response and not from `path`. If the buyer has two visits
      // with the same CPF, the response describes the visit that has reserved a use of the link.
      path: /^\/v1\/checkouts\/[^/]+(?:\/(?:pix|card-form|card))?$/,
      table: 'visits',
      isKept: (now, { data }) => !has(data, 'state', ...WAS_PAID) || now.use === 'USED',
    }),
  ),
  {
    method: 'GET',
    path: /^\/v1\/withdrawals(?:\/([^/?]+)|\?.*)?$/,
    table: 'withdrawals',
    isKept: (now, { data }) => mayBe(now, 'withdrawal', data.status),
  },
  {
    method: 'GET',
    path: /^\/v1\/(?:transactions|statement)(?:\?.*)?$/,
    table: 'rows',
    isKept: (now, { data }) => agree(now, data, OF_ROWS),
  },
  {
    method: 'POST',
    path: /^\/v1\/charges$/,
    table: 'charges',
    isKept: ordered('charge', ['amount', 'feeAmount', 'netAmount', 'txid', 'externalId', 'paymentMethod']),
  },
  {
    method: 'DELETE',
    path: /^\/v1\/charges\/([^/]+)$/,
    table: 'charges',
    isKept: (now) => has(now, 'status', 'CANCELLED'),
  },
  {
    method: 'POST',
    path: /^\/v1\/charges\/([^/]+)\/simulate-payment$/,
    table: 'charges',
    isKept: (now, { data }) => mayBe(now, 'charge', data.status),
  },
  {
    method: 'POST',
    path: /^\/v1\/charges\/([^/]+)\/refund$/,
    table: 'refunds',
    isKept: (now, { call, data }) =>
      call.status === 202
        ? has(now, 'refundId', refundIn(data))
        : has(now, 'isDone', true) && has(now, 'amount', data.refundedAmount),
  },
  {
    method: 'POST',
    path: /^\/v1\/withdrawals$/,
    table: 'withdrawals',
    isKept: ordered('withdrawal', ['amount', 'fee', 'netAmount', 'externalId', 'pixKey', 'method']),
  },
  {
    method: 'POST',
    path: /^\/v1\/admin\/withdrawals\/([^/]+)\/approve$/,
    table: 'withdrawals',
    isKept: (now, { data }) => Number(now.approvals) > 0 && mayBe(now, 'withdrawal', data.status),
  },
  {
    method: 'POST',
    path: /^\/v1\/admin\/withdrawals\/([^/]+)\/(?:reject|complete|fail)$/,
    table: 'withdrawals',
    isKept: (now, { data }) => has(now, 'status', data.status),
  },
  {
    method: 'POST',
    path: /^\/v1\/admin\/disputes$/,
    table: 'disputes',
    isKept: (now, { data }) => agree(now, data, ['chargeId', 'amount']),
  },
  {
    method: 'POST',
    path: /^\/v1\/admin\/disputes\/([^/]+)\/resolve$/,
    table: 'disputes',
    isKept: (now, { data }) => has(now, 'status', data.status),
  },
  {
    method: 'POST',
    path: /^\/v1\/disputes\/([^/]+)\/evidence$/,
    table: 'disputes',
    isKept: (now) => now.evidence_sent_at !== null,
  },
  { method: 'POST', path: /^\/v1\/files$/, table: 'files', isKept: () => true },
  {
    method: 'POST',
    path: /^\/v1\/destinations$/,
    table: 'destinations',
    isKept: (now, { data }) => agree(now, data, ['type']),
  },
  {
    method: 'DELETE',
    path: /^\/v1\/destinations\/([^/]+)$/,
    table: 'destinations',
    isKept: (now) => now.deleted_at !== null,
  },
  { method: 'POST', path: /^\/v1\/webhook-config$/, table: 'configurations', isKept: () => true },
  {
    method: 'DELETE',
    path: /^\/v1\/webhook-config\/([^/]+)$/,
    table: 'configurations',
    isKept: (now) => now.deleted_at !== null,
  },
  { method: 'POST', path: /^\/v1\/webhook-config\/[^/]+\/test$/, table: 'deliveries', isKept: () => true },
  {
    method: 'POST',
    path: /^\/v1\/api-keys$/,
    table: 'keys',
    isKept: (now, { data }) => agree(now, data, ['environment']),
  },
  {
    method: 'POST',
    path: /^\/v1\/api-keys\/([^/]+)\/rotate$/,
    table: 'keys',
    isKept: (now, { call, data }) =>
      now.replaced_by === data.id &&
      endsBy(now, call.endedAt + Number(call.body?.gracePeriodSeconds ?? 0) * 1_000),
  },
  {
    method: 'POST',
    path: /^\/v1\/admin\/operators$/,
    table: 'operators',
    isKept: (now, { data }) => agree(now, data, ['email', 'role']),
  },
  {
    method: 'POST',
    path: /^\/v1\/auth\/register$/,
    table: 'users',
    isKept: () => true,
    idOf: ({ call }) => call.body?.email,
  },
  {
    method: 'DELETE',
    path: /^\/v1\/api-keys\/([^/]+)$/,
    table: 'keys',
    isKept: (now, { call }) => endsBy(now, call.endedAt),
  },
  {
    method: 'POST',
    path: /^\/v1\/admin\/ledger\/(?:blocks|unblocks|adjustments)$/,
    table: 'changes',
    isKept: (now, { data }) => now.amount === Math.abs(Number(data.amount)),
  },
];

/**
 * Returns a rule: the object has the requested and the reported values, and the reported status or a later
 * one.
 */
function ordered(thing: 'charge' | 'withdrawal', answered: readonly string[]): Promised['isKept'] {
  return (now, ack) =>
    matchesRequest(ack, ['amount', 'externalId']) &&
    agree(now, ack.data, answered) &&
    mayBe(now, thing, ack.data.status);
}

/**
 * Returns whether the key ended at `time` or before. For a deleted key, `time` is the time of the response.
 * For a rotated key, it is the end of the grace period.
 */
function endsBy({ endsAt }: Row, time: number): boolean {
  return typeof endsAt === 'number' && endsAt <= time + TOLERANCE_MS;
}

function refundIn({ refund }: Row): unknown {
  return z.object({ id: z.string() }).safeParse(refund).data?.id;
}

/**
 * Returns whether the response repeats the values of its request. If it does not, the platform has returned
 * the object of another request, for example with the same externalId.
 */
function matchesRequest({ call, data }: Acknowledged, fields: readonly string[]): boolean {
  return fields.every((field) => call.body?.[field] === undefined || data[field] === call.body[field]);
}

function agree(now: Row, answer: Row, fields: readonly string[]): boolean {
  return fields.every((field) => now[field] === answer[field]);
}
