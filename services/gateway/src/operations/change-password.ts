import { type Database, writeAudit } from '@plataforma/data';
import type { PasswordQueues } from '../passwords.ts';
import { invalidCredentials } from '../steps/credentials.ts';
import { findUserById, savePassword } from '../store/organizations.ts';
import { endOtherSessions, type Session } from '../store/sessions.ts';

interface ChangePassword {
  database: Database;
  passwords: PasswordQueues;
  /** Called before the current password is verified; refuses a caller that has tried too often. */
  countTry: (email: string) => Promise<void>;
}

/** Gives a merchant's user another password and ends every other session. Of two changes at once one is refused. */
export async function changePassword(
  { database, passwords, countTry }: ChangePassword,
  { id: sessionId, userId, merchantId }: Session,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const user = await findUserById(database, userId);
  if (!user) throw invalidCredentials();
  await countTry(user.email);
  if (!(await passwords.known.verify(user.passwordHash, currentPassword))) throw invalidCredentials();
  const passwordHash = await passwords.known.hash(newPassword);
  await database.transaction(async (tx) => {
    if (!(await savePassword(tx, { user, sessionId, passwordHash }))) throw invalidCredentials();
    await endOtherSessions(tx, userId, sessionId);
    await writeAudit(tx, {
      ...{ operatorId: userId, action: 'user.change_password', subjectId: merchantId },
      ...{ before: {}, after: {}, reason: null },
    });
  });
}
