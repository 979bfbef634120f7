import type { OperatorRole } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';

export interface Operator {
  id: string;
  email: string;
  role: OperatorRole;
  isActive: boolean;
  /** The number of the operator's password changes. A token with a lower number is refused. */
  passwordVersion: number;
  createdAt: Date;
  /** The operator who proposed or created this one. Null for the first and for those of release 0.6.0. */
  createdBy: string | null;
  /** The time when the operator confirmed the present second factor; null: the operator has none. */
  factorAt: Date | null;
}

const RANKS: Record<OperatorRole, number> = { SUPPORT: 0, FINANCE: 1, ADMIN: 2 };

/** Returns true if the change gives the operator more rights. */
export function widens(
  before: Operator,
  {
    role = before.role,
    isActive = before.isActive,
  }: { role?: OperatorRole | undefined; isActive?: boolean | undefined },
): boolean {
  return RANKS[role] > RANKS[before.role] || (isActive && !before.isActive);
}

function isAdmin({ role, isActive }: Operator): boolean {
  return role === 'ADMIN' && isActive;
}

/** Throws FORBIDDEN if another ADMIN deactivated or demoted the caller after the request arrived. */
export function requireActiveAdmin(operators: readonly Operator[], id: string): void {
  if (operators.some((operator) => operator.id === id && isAdmin(operator))) return;
  throw new Refusal('forbidden', 'FORBIDDEN', 'you are no longer an active ADMIN');
}

/** Throws INVALID_STATE if a change would leave no active ADMIN. */
export function requireAdminLeft(operators: readonly Operator[]): void {
  if (operators.some(isAdmin)) return;
  throw new Refusal('conflict', 'INVALID_STATE', 'this is the last active ADMIN: make another one first');
}
