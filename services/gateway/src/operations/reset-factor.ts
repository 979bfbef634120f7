import type { Database } from '@plataforma/data';
import { PLATFORM_ID } from '@plataforma/kernel';
import { writeAudit } from '@plataforma/tables';
import { deleteFactor } from '../store/operator-factors.ts';
import { deletePasskeys } from '../store/operator-passkeys.ts';
import { findOperatorToLogIn, lockOperator } from '../store/operators.ts';
import { endSessions } from '../store/sessions.ts';

/**
 * Removes the second factor and the passkeys of an operator, and ends all sessions of the operator. The next
 * log-in with the password enrols a new factor. Returns false if no operator with a valid seal has this
 * e-mail address.
 */
export async function resetFactor(database: Database, email: string): Promise<boolean> {
  const operator = await findOperatorToLogIn(database, 'email', email.toLowerCase());
  if (!operator) return false;
  const { id: subjectId } = operator;
  return database.transaction(async (tx) => {
    // Log-ins also lock the operator. The next statements end sessions that log-ins opened meanwhile.
    if (!(await lockOperator(tx, subjectId))) return false;
    const hadFactor = await deleteFactor(tx, subjectId);
    const deletedPasskeys = (await deletePasskeys(tx, subjectId)).length;
    const endedSessions = (await endSessions(tx, subjectId)).length;
    await writeAudit(tx, {
      ...{ operatorId: PLATFORM_ID, action: 'operator.reset_factor', subjectId, reason: null },
      ...{ before: { hadFactor }, after: { hadFactor: false, deletedPasskeys, endedSessions } },
    });
    return true;
  });
}
