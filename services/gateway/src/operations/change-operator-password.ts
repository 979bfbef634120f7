import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { writeAudit } from '@plataforma/tables';
import { invalidCredentials, type SessionTokens } from '../credentials.ts';
import { sessionEnded } from '../domain/access.ts';
import { openOperatorSession } from '../operator-credentials.ts';
import type { PasswordQueues } from '../passwords.ts';
import { hasJustEnded } from '../store/operator-sessions.ts';
import { changePassword, findOperatorToLogIn } from '../store/operators.ts';
import type { Client } from '../store/sessions.ts';
import type { OperatorSession, Tokens } from '../tokens.ts';

interface ChangeOperatorPassword {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
  client: Client;
  /**
   * A function that is called before the current password is verified. It throws if the caller has made too
   * many attempts.
   */
  countTry: (email: string) => Promise<void>;
}

/**
 * Changes an operator's password, which ends all sessions of the operator, and opens a new session. If two
 * changes run at the same time, the second fails.
 */
export async function changeOperatorPassword(
  { database, passwords, tokens, clock, client, countTry }: ChangeOperatorPassword,
  { sub: operatorId, sid, factorAt }: OperatorSession,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<SessionTokens> {
  // Only a token without a session has no `factorAt` here, because the endpoint requires a fresh factor.
  if (factorAt === null) throw sessionEnded();
  const before = await findOperatorToLogIn(database, 'id', operatorId);
  if (!before) throw invalidCredentials();
  await countTry(before.email);
  if (!(await passwords.recognized.verify(before.passwordHash, currentPassword))) throw invalidCredentials();
  const passwordHash = await passwords.recognized.hash(newPassword);
  return database.transaction(async (tx) => {
    const operator = await changePassword(tx, before, passwordHash);
    if (!operator) throw invalidCredentials();
    // A concurrent request may have ended the caller's session already.
    if (!(await hasJustEnded(tx, sid))) throw sessionEnded();
    const session = { operator, factorAt: new Date(factorAt), client, now: clock() };
    const opened = await openOperatorSession(tx, tokens, session);
    await writeAudit(tx, {
      operatorId,
      action: 'operator.change_password',
      subjectId: operatorId,
      before: {},
      after: {},
      reason: null,
    });
    return opened;
  });
}
