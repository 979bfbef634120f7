import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import { accessOf, invalidCredentials, openSession, type SessionTokens } from '../credentials.ts';
import type { PasswordQueues } from '../passwords.ts';
import { findOperatorToLogIn } from '../store/operators.ts';
import { findUser } from '../store/organizations.ts';
import type { Client } from '../store/sessions.ts';
import type { Tokens } from '../tokens.ts';

interface LogIn {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
}

interface Credentials {
  email: string;
  password: string;
}

/** The source from which a user logs in. */
export interface Whence {
  /** True if a user has logged in to this account from this device or network before. */
  isRecognized: boolean;
  /** The id of the device. Null if the request has no valid device token. */
  device: string | null;
}

/**
 * Logs a merchant's user in. An unknown e-mail address gets the same refusal, after the same time, as a wrong
 * password.
 */
export async function logIn(
  { database, passwords, tokens, clock }: LogIn,
  { email, password }: Credentials,
  { isRecognized, device, client }: Whence & { client: Client },
): Promise<SessionTokens & { deviceToken: string }> {
  const user = await findUser(database, email);
  const isOfMerchant = isRecognized && user?.isApproved === true;
  const isRight = await verify(passwords, {
    ...{ isRecognized: isOfMerchant, hash: user?.passwordHash },
    ...{ password, client },
  });
  if (!user || !isRight) throw invalidCredentials();
  const { id: userId, passwordHash, passwordVersion } = user;
  const session = await openSession(database, tokens, { userId, passwordHash, client, now: clock() });
  if (!session) throw invalidCredentials();
  const deviceToken = tokens.forDevice({ realm: 'merchant', email, passwordVersion }, device);
  return { ...session, deviceToken };
}

/**
 * Logs an operator in. Operators get no refresh token, so they must log in again when the access token
 * expires.
 */
export async function logInOperator(
  { database, passwords, tokens }: Omit<LogIn, 'clock'>,
  { email, password }: Credentials,
  { isRecognized, device, client }: Whence & { client: Pick<Client, 'address'> },
): Promise<{ accessToken: string; deviceToken: string }> {
  const operator = await findOperatorToLogIn(database, 'email', email);
  const hash = operator?.passwordHash;
  const isRight = await verify(passwords, { isRecognized, hash, password, client });
  if (!operator?.isActive || !isRight) throw invalidCredentials();
  const { passwordVersion } = operator;
  const deviceToken = tokens.forDevice({ realm: 'operator', email, passwordVersion }, device);
  return { accessToken: accessOf(tokens, operator), deviceToken };
}

interface Try {
  isRecognized: boolean;
  hash: string | undefined;
  password: string;
  client: Pick<Client, 'address'>;
}

function verify({ recognized, strangers }: PasswordQueues, { isRecognized, hash, password, client }: Try) {
  if (isRecognized) return recognized.verify(hash, password);
  return strangers.verify(hash, password, siteOf(client.address));
}
