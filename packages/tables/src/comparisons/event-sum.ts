/** Ids from `from` on and below `before`. A UUID v7 begins with its time, so this is also a range of times. */
export interface EventRange {
  from: string;
  before: string;
}

/** The number of events, and the sum of a hash of each id as a decimal text. The order does not matter. */
export interface EventSum {
  count: number;
  sum: string;
}

/**
 * SQL: counts and sums the column `event_id`. Both sides of a comparison run it, also on PostgreSQL servers
 * of different versions, so the hash is SHA-256 and not one of PostgreSQL's own.
 */
export const EVENT_SUM = `
  count(*)::integer AS count,
  coalesce(sum(('x' || encode(substr(sha256(uuid_send(event_id)), 1, 8), 'hex'))::bit(64)::bigint), 0)::text
    AS sum`;

export const NO_EVENTS: EventSum = { count: 0, sum: '0' };
