import type { Database } from '@plataforma/data';
import { writeAudit } from '@plataforma/tables';
import { accessOf, invalidCredentials } from '../credentials.ts';
import type { PasswordQueues } from '../passwords.ts';
import { changePassword, findOperatorToLogIn } from '../store/operators.ts';
import type { Tokens } from '../tokens.ts';

interface ChangeOperatorPassword {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  /**
   * A function that is called before the current password is verified. It throws if the caller has made too
   * many attempts.
   */
  countTry: (email: string) => Promise<void>;
}

/**
 * Changes an operator's password and returns a new token. Tokens for the old password stop working. If two
 * changes run at the same time, the second fails.
 */
export async function changeOperatorPassword(
  { database, passwords, tokens, countTry }: ChangeOperatorPassword,
  operatorId: string,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<{ accessToken: string }> {
  const before = await findOperatorToLogIn(database, 'id', operatorId);
  if (!before) throw invalidCredentials();
  await countTry(before.email);
  if (!(await passwords.recognized.verify(before.passwordHash, currentPassword))) throw invalidCredentials();
  const passwordHash = await passwords.recognized.hash(newPassword);
  const after = await database.transaction(async (tx) => {
    const changed = await changePassword(tx, before, passwordHash);
    if (!changed) throw invalidCredentials();
    await writeAudit(tx, {
      operatorId,
      action: 'operator.change_password',
      subjectId: operatorId,
      before: {},
      after: {},
      reason: null,
    });
    return changed;
  });
  return { accessToken: accessOf(tokens, after) };
}
