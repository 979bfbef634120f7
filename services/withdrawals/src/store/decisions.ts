import type { Database, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { requireSandbox } from '@plataforma/service';
import { writeAudit } from '@plataforma/tables';
import { isVisible, noSuchWithdrawal, type Withdrawal } from '../domain/withdrawal.ts';
import { findAnyWithdrawal, findWithdrawal, lockWithdrawal, saveWithdrawal } from './withdrawals.ts';

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

/**
 * Makes a PENDING sandbox withdrawal wait for one approval. Returns false if it is not PENDING or already has
 * an approval.
 */
export function requireApprovalInSandbox(database: Database, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { status, environment, firstApprover, ...locked } = await lockWithdrawal(tx, id);
    if (environment !== 'sandbox' || status !== 'PENDING' || firstApprover !== null) return false;
    const waiting = { approvalsNeeded: 1, dueAt: null } as const;
    await saveWithdrawal(tx, { ...locked, status, environment, firstApprover, ...waiting });
    return true;
  });
}
