import type { OperatorRole } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';

/** A person who works for the platform. */
export interface Operator {
  id: string;
  email: string;
  role: OperatorRole;
  isActive: boolean;
  /** Counts the changes of the password; tokens of an earlier one are worth nothing. */
  passwordVersion: number;
  createdAt: Date;
}

function isAdmin({ role, isActive }: Operator): boolean {
  return role === 'ADMIN' && isActive;
}

/** Whoever was an ADMIN when the request came in may have been deactivated by another one since. */
export function requireActiveAdmin(operators: readonly Operator[], id: string): void {
  if (operators.some((operator) => operator.id === id && isAdmin(operator))) return;
  throw new Refusal('forbidden', 'FORBIDDEN', 'you are no active ADMIN any more');
}

/** Somebody must be left who can make others ADMIN. */
export function requireAdminLeft(operators: readonly Operator[]): void {
  if (operators.some(isAdmin)) return;
  throw new Refusal('conflict', 'INVALID_STATE', 'this is the last active ADMIN: make another one first');
}
