import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';

export interface AuditEntry {
  operatorId: string;
  /** `noun.verb`, as in `merchant.approve`. */
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
 * Names of fields that may hold a secret or a person's document. Rows must not have them, because rows stay
 * for ever and every operator can read them.
 */
const SENSITIVE_NAMES = /password|secret|token|cpf|cnpj|document|pixkey|cardnumber/i;

/**
 * Appends one row: the operator, the action, its subject and the reason. The next row of the service waits
 * until this one is committed, so a transaction writes it when it has all its other locks. Throws for a
 * sensitive field.
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
  if (SENSITIVE_NAMES.test(name)) throw new TypeError(`${name} may not be kept in the audit log`);
  return value;
}
