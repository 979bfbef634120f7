import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import {
  invalidCredentials,
  openSession,
  type SessionTokens,
  verifyPassword,
  type Whence,
} from '../credentials.ts';
import type { PasswordQueues } from '../passwords.ts';
import type { Client } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';
import type { Tokens } from '../tokens.ts';

interface LogIn {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
}

/**
 * Logs a merchant's user in. An unknown e-mail address gets the same refusal, after the same time, as a wrong
 * password.
 */
export async function logIn(
  { database, passwords, tokens, clock }: LogIn,
  { email, password }: { email: string; password: string },
  { isRecognized, device, client }: Whence & { client: Client },
): Promise<SessionTokens & { deviceToken: string }> {
  const user = await findUser(database, 'email', email);
  const isOfMerchant = isRecognized && user?.isApproved === true;
  const isRight = await verifyPassword(passwords, {
    ...{ isRecognized: isOfMerchant, hash: user?.passwordHash },
    ...{ password, client },
  });
  if (!user || !isRight) throw invalidCredentials();
  const { passwordVersion } = user;
  const session = await openSession(database, tokens, { user, client, now: clock() });
  if (!session) throw invalidCredentials();
  const deviceToken = tokens.forDevice({ realm: 'merchant', email, passwordVersion }, device);
  return { ...session, deviceToken };
}
