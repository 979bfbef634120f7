import type { Migration } from '@plataforma/data';

export const undecidedDisputes: Migration = {
  name: '076_undecided_disputes',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS disputes_of_merchant_undecided',
    // An index for the volume report, which sums the undecided disputes of a merchant.
    `CREATE INDEX CONCURRENTLY disputes_of_merchant_undecided ON disputes (merchant_id, environment)
       INCLUDE (charge_id, amount_cents) WHERE status IN ('OPEN', 'UNDER_REVIEW')`,
  ],
};
