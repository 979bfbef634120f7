import type { OperatorRole } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';

export interface Operator {
  id: string;
  email: string;
  role: OperatorRole;
  isActive: boolean;
  /** The number of password changes; tokens with a lower number are refused. */
  passwordVersion: number;
  createdAt: Date;
}

function isAdmin({ role, isActive }: Operator): boolean {
  return role === 'ADMIN' && isActive;
}

/** Throws FORBIDDEN when another ADMIN has deactivated or demoted the caller since the request came in. */
export function requireActiveAdmin(operators: readonly Operator[], id: string): void {
  if (operators.some((operator) => operator.id === id && isAdmin(operator))) return;
  throw new Refusal('forbidden', 'FORBIDDEN', 'you are no longer an active ADMIN');
}

/** Throws INVALID_STATE when no active ADMIN would be left. */
export function requireAdminLeft(operators: readonly Operator[]): void {
  if (operators.some(isAdmin)) return;
  throw new Refusal('conflict', 'INVALID_STATE', 'this is the last active ADMIN: make another one first');
}
