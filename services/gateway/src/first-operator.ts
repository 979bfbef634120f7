import type { Database } from '@plataforma/data';
import type { Passwords } from './passwords.ts';
import { hasOperators, insertFirstOperator } from './store/operators.ts';

/** An empty installation gets its first ADMIN from the configuration; later the configuration changes nothing. */
export async function addFirstOperator(
  { database, passwords }: { database: Database; passwords: Passwords },
  { OPERATOR_EMAIL, OPERATOR_PASSWORD }: { OPERATOR_EMAIL: string; OPERATOR_PASSWORD: string },
): Promise<void> {
  if (await hasOperators(database)) return;
  await insertFirstOperator(database, OPERATOR_EMAIL, await passwords.hash(OPERATOR_PASSWORD));
}
