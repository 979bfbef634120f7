import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { invalidCredentials, type SessionTokens, verifyPassword, type Whence } from '../credentials.ts';
import { openOperatorSession } from '../operator-credentials.ts';
import type { PasswordQueues } from '../passwords.ts';
import { type FactorDependencies, type Proof, useFactor } from '../second-factor.ts';
import { findOperatorToLogIn } from '../store/operators.ts';
import type { Client } from '../store/sessions.ts';
import type { Tokens } from '../tokens.ts';

interface LogInOperator extends FactorDependencies {
  database: Database;
  passwords: PasswordQueues;
  tokens: Tokens;
  clock: Clock;
}

interface Credentials extends Proof {
  email: string;
  password: string;
}

/**
 * Logs an operator in with a code of the second factor or a passkey. Checks both only after the correct
 * password, so that strangers can neither guess codes nor lock the factor.
 */
export async function logInOperator(
  dependencies: LogInOperator,
  { email, password, ...proof }: Credentials,
  { isRecognized, device, client }: Whence & { client: Client },
): Promise<SessionTokens & { deviceToken: string; recoveryCodes?: string[] }> {
  const { database, passwords, tokens, clock } = dependencies;
  const operator = await findOperatorToLogIn(database, 'email', email);
  const hash = operator?.passwordHash;
  const isRight = await verifyPassword(passwords, { isRecognized, hash, password, client });
  if (!operator?.isActive || !isRight) throw invalidCredentials();
  const { passwordVersion } = operator;
  const deviceToken = tokens.forDevice({ realm: 'operator', email, passwordVersion }, device);
  const now = clock();
  const session = await useFactor(dependencies, { ...proof, operator, sessionId: null, now }, (tx) =>
    openOperatorSession(tx, tokens, { operator, factorAt: now, client, now }),
  );
  return { ...session, deviceToken };
}
