import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import { writeAudit } from '@plataforma/tables';
import { invalidCredentials, openSession, type SessionTokens } from '../credentials.ts';
import type { PasswordQueues } from '../passwords.ts';
import { type Client, endSessions, type Session } from '../store/sessions.ts';
import { findUser, savePassword } from '../store/users.ts';
import type { Tokens } from '../tokens.ts';

interface ChangePassword {
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
 * Changes the password of a merchant's user. Ends all sessions and device tokens, which may be stolen, and
 * opens a new session. If two changes run at the same time, one is refused.
 */
export async function changePassword(
  { database, passwords, tokens, clock, client, countTry }: ChangePassword,
  { id: sessionId, userId, merchantId }: Session,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<SessionTokens & { deviceToken: string }> {
  const user = await findUser(database, 'id', userId);
  if (!user) throw invalidCredentials();
  await countTry(user.email);
  const queue = user.isApproved ? passwords.recognized : passwords.strangers;
  const network = user.isApproved ? undefined : siteOf(client.address);
  if (!(await queue.verify(user.passwordHash, currentPassword, network))) throw invalidCredentials();
  const passwordHash = await queue.hash(newPassword, network);
  return database.transaction(async (tx) => {
    if (!(await savePassword(tx, user, passwordHash))) throw invalidCredentials();
    const ended = await endSessions(tx, userId);
    // A concurrent request may have ended the caller's session already.
    if (!ended.includes(sessionId)) throw invalidCredentials();
    const changed = { ...user, passwordHash };
    const session = await openSession(tx, tokens, { user: changed, client, now: clock() });
    if (!session) throw new Error('a user vanished');
    await writeAudit(tx, {
      ...{ operatorId: userId, action: 'user.change_password', subjectId: merchantId },
      ...{ before: {}, after: {}, reason: null },
    });
    const { email, passwordVersion } = user;
    const account = { realm: 'merchant', email, passwordVersion: passwordVersion + 1 } as const;
    return { ...session, deviceToken: tokens.forDevice(account) };
  });
}
