import { Refusal } from '@plataforma/kernel';
import type { Operator } from '../domain/operator.ts';
import type { Tokens } from '../tokens.ts';

/** The access token of an operator whose password was right. */
export function accessOf(tokens: Tokens, { id, role, passwordVersion }: Operator): string {
  return tokens.forOperator({ sub: id, role, passwordVersion });
}

/** The same whether the e-mail is unknown or the password wrong. */
export function invalidCredentials(): Refusal {
  return new Refusal('unauthenticated', 'INVALID_CREDENTIALS', 'e-mail and password do not match an account');
}
