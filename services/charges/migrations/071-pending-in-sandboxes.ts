import type { Migration } from '@plataforma/data';

export const pendingInSandboxes: Migration = {
  name: '071_pending_in_sandboxes',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_sandbox_pending',
    // What expires when the clock of a merchant's sandbox is moved. Production has no entry in it.
    `CREATE INDEX CONCURRENTLY charges_sandbox_pending ON charges (merchant_id, expires_at)
       WHERE environment = 'sandbox' AND status = 'PENDING'`,
  ],
};
