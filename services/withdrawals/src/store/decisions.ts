import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { requireSandbox } from '@plataforma/service';
import { writeAudit } from '@plataforma/tables';
import { isVisible, noSuchWithdrawal, type Withdrawal } from '../domain/withdrawal.ts';
import { findAnyWithdrawal, findWithdrawal } from './withdrawals.ts';

/** The author of a decision: an operator, or a merchant for its own sandbox withdrawals. */
export type Decider = { operatorId: string } | { tenant: Tenant };

export function deciderId(by: Decider): string {
  return 'tenant' in by ? by.tenant.merchantId : by.operatorId;
}

/**
 * Returns a withdrawal about which `by` may decide. Throws NOT_FOUND, or SANDBOX_ONLY for a merchant in
 * production.
 */
export async function getForDecider(database: Database, id: string, by: Decider): Promise<Withdrawal> {
  if ('tenant' in by) requireSandbox(by.tenant);
  const found = await ('tenant' in by
    ? findWithdrawal(database, by.tenant, id)
    : findAnyWithdrawal(database, id));
  if (!found || !isVisible(found)) throw noSuchWithdrawal();
  return found;
}

/** Writes an operator's decision to the audit log. Writes nothing for a sandbox merchant's decision. */
export async function auditDecision(
  tx: Transaction,
  by: Decider,
  entry: Omit<Parameters<typeof writeAudit>[1], 'operatorId'>,
): Promise<void> {
  if ('operatorId' in by) await writeAudit(tx, { ...entry, operatorId: by.operatorId });
}

const REQUIRE_APPROVAL = `
  UPDATE withdrawals SET approvals_needed = 1, next_check_at = NULL
  WHERE id = $1 AND environment = 'sandbox' AND status = 'PENDING' AND first_approver IS NULL
  RETURNING id`;

/**
 * Makes a PENDING sandbox withdrawal wait for one approval. Returns false if it is not PENDING or already has
 * an approval.
 */
export async function requireApprovalInSandbox(db: Queryable, id: string): Promise<boolean> {
  return (await db.query(REQUIRE_APPROVAL, [id])).length === 1;
}
