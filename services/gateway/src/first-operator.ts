import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { ConfigError } from '@plataforma/kernel';
import type { GatewayConfig } from './config.ts';
import type { Passwords } from './passwords.ts';
import { hasOperators, insertFirstOperator } from './store/operators.ts';

const { password } = api.createOperator.body.shape;

/**
 * Adds the first ADMIN from the configuration if the installation has no operator. Otherwise the
 * configuration has no effect.
 */
export async function addFirstOperator(
  { database, passwords }: { database: Database; passwords: Passwords },
  { OPERATOR_EMAIL, OPERATOR_PASSWORD }: Pick<GatewayConfig, 'OPERATOR_EMAIL' | 'OPERATOR_PASSWORD'>,
): Promise<void> {
  if (await hasOperators(database)) return;
  if (OPERATOR_EMAIL === undefined || OPERATOR_PASSWORD === undefined)
    throw new ConfigError('No operator exists yet: set OPERATOR_EMAIL and OPERATOR_PASSWORD for this start');
  // Only a new installation checks the length, because an existing installation may have a shorter password
  // in its configuration.
  if (!password.safeParse(OPERATOR_PASSWORD).success)
    throw new ConfigError('OPERATOR_PASSWORD: must have at least 12 characters and at most 1024');
  await insertFirstOperator(database, OPERATOR_EMAIL, await passwords.hash(OPERATOR_PASSWORD));
}
