import type { OperatorRole } from '@plataforma/contracts';
import { type Database, isDuplicate, type Transaction } from '@plataforma/data';
import { type Clock, newId, Refusal } from '@plataforma/kernel';
import { writeAudit } from '@plataforma/tables';
import { type Operator, requireActiveAdmin } from '../domain/operator.ts';
import type { PasswordQueues } from '../passwords.ts';
import { insertOperator, lockAdminsAnd } from '../store/operators.ts';

interface CreateOperator {
  database: Database;
  passwords: PasswordQueues;
  clock: Clock;
  saveResponse: (tx: Transaction, operator: Operator) => Promise<void>;
}

interface NewOperator {
  email: string;
  password: string;
  role: OperatorRole;
}

/**
 * Creates an operator. The caller must be an active ADMIN. Throws OPERATOR_EXISTS if an operator has the
 * e-mail address.
 */
export async function createOperator(
  { database, passwords, clock, saveResponse }: CreateOperator,
  operatorId: string,
  { email, password, role }: NewOperator,
): Promise<Operator> {
  const passwordHash = await passwords.recognized.hash(password);
  const initial = { role, isActive: true, passwordVersion: 0 };
  const created = { createdAt: clock(), createdBy: operatorId };
  const operator: Operator = { id: newId(), email, ...initial, ...created };
  try {
    return await database.transaction(async (tx) => {
      requireActiveAdmin(await lockAdminsAnd(tx, operatorId), operatorId);
      await insertOperator(tx, operator, passwordHash);
      await writeAudit(tx, {
        operatorId,
        action: 'operator.create',
        subjectId: operator.id,
        before: {},
        after: { role, isActive: true },
        reason: null,
      });
      await saveResponse(tx, operator);
      return operator;
    });
  } catch (error) {
    if (!isDuplicate(error, 'operators_email')) throw error;
    throw new Refusal('conflict', 'OPERATOR_EXISTS', 'email: an operator with it exists already');
  }
}
