import type { Database } from '@plataforma/data';
import { ConfigError } from '@plataforma/kernel';
import type { GatewayConfig } from './config.ts';
import type { Passwords } from './passwords.ts';
import { hasOperators, insertFirstOperator } from './store/operators.ts';

/** An empty installation gets its first ADMIN from the configuration; later the configuration changes nothing. */
export async function addFirstOperator(
  { database, passwords }: { database: Database; passwords: Passwords },
  { OPERATOR_EMAIL, OPERATOR_PASSWORD }: Pick<GatewayConfig, 'OPERATOR_EMAIL' | 'OPERATOR_PASSWORD'>,
): Promise<void> {
  if (await hasOperators(database)) return;
  if (OPERATOR_EMAIL === undefined || OPERATOR_PASSWORD === undefined)
    throw new ConfigError('No operator exists yet: set OPERATOR_EMAIL and OPERATOR_PASSWORD for this start');
  await insertFirstOperator(database, OPERATOR_EMAIL, await passwords.hash(OPERATOR_PASSWORD));
}
