import type { Migration } from '@plataforma/data';

/** Rows of the release before have none of it: one of its returns may have left as soon as it was claimed once. */
export const leasedRefunds: Migration = {
  name: '014_leased_refunds',
  sql: `
    ALTER TABLE refunds
      -- Of the claim that works on it; next_check_at is when it is due, whoever moves that.
      ADD COLUMN lease_token uuid,
      ADD COLUMN lease_until timestamptz,
      -- How many of its claims came before its status last changed.
      ADD COLUMN attempts_before integer NOT NULL DEFAULT 0,
      -- It has ended, and is still looked at.
      ADD COLUMN is_watched boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT refunds_lease CHECK ((lease_token IS NULL) = (lease_until IS NULL)) NOT VALID,
      ADD CONSTRAINT refunds_watched CHECK (NOT is_watched OR status IN ('DONE', 'REFUSED')) NOT VALID;
    ALTER TABLE unexpected_payments
      ADD COLUMN lease_token uuid,
      ADD COLUMN lease_until timestamptz,
      ADD COLUMN attempts_before integer NOT NULL DEFAULT 0,
      ADD COLUMN is_watched boolean NOT NULL DEFAULT false,
      -- When its return first left, when the provider had it, and when that was done or given up.
      ADD COLUMN ordered_at timestamptz,
      ADD COLUMN accepted_at timestamptz,
      ADD COLUMN ended_at timestamptz,
      ADD CONSTRAINT unexpected_payments_lease
        CHECK ((lease_token IS NULL) = (lease_until IS NULL)) NOT VALID,
      ADD CONSTRAINT unexpected_payments_watched
        CHECK (NOT is_watched OR status IN ('RETURNED', 'RETURN_REFUSED')) NOT VALID;
  `,
};

/** What is due, for both releases: each one's condition is part of these. */
export const dueRefundsIndex: Migration = {
  name: '014_due_refunds',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS refunds_open',
    `CREATE INDEX CONCURRENTLY refunds_open ON refunds (environment, next_check_at)
      WHERE status IN ('REQUESTED', 'DEBITED', 'ACCEPTED') OR is_watched`,
    'DROP INDEX CONCURRENTLY IF EXISTS unexpected_payments_open',
    `CREATE INDEX CONCURRENTLY unexpected_payments_open ON unexpected_payments (environment, next_check_at)
      WHERE status = 'RETURNING' OR is_watched`,
    'DROP INDEX CONCURRENTLY IF EXISTS refunds_due',
    'DROP INDEX CONCURRENTLY IF EXISTS unexpected_payments_due',
  ],
};
