import type { Migration } from '@plataforma/data';

const AHEAD = `coalesce((SELECT ahead_ms FROM sandbox_clocks s
  WHERE s.merchant_id = l.merchant_id AND l.environment = 'sandbox'), 0) * interval '1 millisecond'`;
const IS_OPEN = `(l.paid >= l.uses) IS NOT TRUE AND (l.expires_at - ${AHEAD} <= now()) IS NOT TRUE`;

/**
 * Sets `ends_at` of open checkouts of earlier releases that are younger than a day, so that their ends are
 * announced. The end of a checkout that has already ended is never announced.
 */
export const checkoutsBeforeEnds: Migration = {
  name: '079_checkouts_before_ends',
  sql: `
    UPDATE payment_links l SET next_check_at = l.expires_at - ${AHEAD}
    WHERE l.expires_at IS NOT NULL AND l.next_check_at IS NULL AND ${IS_OPEN};
    UPDATE checkouts c SET ends_at = c.created_at + interval '24 hours' FROM payment_links l
    WHERE l.id = c.link_id AND c.ends_at IS NULL AND c.use <> 'USED'
    AND c.created_at > now() - interval '24 hours'
      AND (c.use = 'HELD' OR ${IS_OPEN});
  `,
};
