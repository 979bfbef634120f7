import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';

export interface AuditEntry {
  operatorId: string;
  /** The action as `noun.verb`, for instance `merchant.approve`. */
  action: string;
  subjectId: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string | null;
}

const APPEND = `
  INSERT INTO audit_log (id, operator_id, action, subject_id, before, after, reason)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/**
 * Names of fields that may hold a secret or a person's document. Audit rows must not have these fields,
 * because the rows are never deleted and every operator can read them.
 */
const SENSITIVE_NAMES = /password|secret|token|cpf|cnpj|document|pixkey|cardnumber/i;

/**
 * Appends one audit row. The service's next audit row waits until the transaction of this row is committed.
 * So a transaction must get all its other locks before it calls this function. Throws for a field with a
 * sensitive name.
 */
export async function writeAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { operatorId, action, subjectId, before, after, reason } = entry;
  const values = [
    newId(),
    operatorId,
    action,
    subjectId,
    JSON.stringify(before, refuseSecret),
    JSON.stringify(after, refuseSecret),
    reason,
  ];
  await tx.query(APPEND, values);
}

function refuseSecret(name: string, value: unknown): unknown {
  if (SENSITIVE_NAMES.test(name)) throw new TypeError(`${name} must not be stored in the audit log`);
  return value;
}
