import type { Endpoint } from '@plataforma/contracts';
import { isForRole } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { OperatorStep } from '@plataforma/tables';
import type { ActiveOperator } from './operators.ts';

export interface Asking {
  operatorId: string;
  /** The operators who may make this change at the moment. */
  active: readonly ActiveOperator[];
  now: Date;
}

const DAY_MS = 24 * 3_600_000;
/** The lifetime of an operator's proposal. */
export const PROPOSAL_MS = DAY_MS;
/** A new operator may approve nothing for this long. */
const NEW_MS = DAY_MS;
/** An operator's account cannot approve proposals of its creator for this long after its creation. */
const CREATED_MS = 30 * DAY_MS;

/** Returns the operators whose role allows the endpoint. */
export function operatorsFor(endpoint: Endpoint, operators: readonly ActiveOperator[]): ActiveOperator[] {
  return operators.filter(({ role }) => isForRole(endpoint, role));
}

/**
 * Returns the role of an operator's request in a change that needs two operators. `first`: it proposes the
 * change. `same`: the same operator proposes it again. `second`: a second operator completes it. `alone`: the
 * single operator of the installation completes it. Refuses with FORBIDDEN an operator who is not active, and
 * one who may not approve this proposal.
 */
export function decideApproval(
  proposal: OperatorStep | null,
  { operatorId, active, now }: Asking,
): 'first' | 'same' | 'second' | 'alone' {
  const operator = active.find(({ id }) => id === operatorId);
  if (!operator) throw forbidden('you are no longer an active operator with this permission');
  if (isAlone(operator, active)) return 'alone';
  const stands =
    proposal !== null &&
    active.some(({ id }) => id === proposal.by) &&
    now.getTime() - proposal.at.getTime() < PROPOSAL_MS;
  if (!stands) return 'first';
  if (proposal.by === operatorId) return 'same';
  requireApprover(operator, proposal.by, now);
  return 'second';
}

/**
 * Throws FORBIDDEN for an operator who is too new to approve. `proposedBy` is the operator who requested the
 * approval, or null if a merchant requested it.
 */
export function requireApprover(
  { createdAt, createdBy }: Pick<ActiveOperator, 'createdAt' | 'createdBy'>,
  proposedBy: string | null,
  now: Date,
): void {
  if (!createdAt) return;
  const isCreator = proposedBy !== null && createdBy === proposedBy;
  const until = new Date(createdAt.getTime() + (isCreator ? CREATED_MS : NEW_MS));
  if (now >= until) return;
  const why = isCreator
    ? 'the operator who proposed or first approved this created your account'
    : 'your account is less than 24 hours old';
  throw forbidden(`${why}; ${ANOTHER_APPROVES}, or you from ${until.toISOString()}`);
}

/** Throws FORBIDDEN with the reason, unless the operator is the installation's single operator. */
export function requireSingle(active: readonly ActiveOperator[], operatorId: string, reason: string): void {
  const operator = active.find(({ id }) => id === operatorId);
  if (operator && isAlone(operator, active)) return;
  throw forbidden(`${reason}; another operator must do this`);
}

/**
 * Returns true for a single operator. The list of a gateway of release 0.6.0 has no `isSingle`; with such a
 * list, the only active operator is the single one.
 */
function isAlone({ isSingle }: ActiveOperator, active: readonly ActiveOperator[]): boolean {
  return isSingle ?? active.length === 1;
}

export const ANOTHER_APPROVES = 'another operator, created more than 24 hours ago, must approve';

export function forbidden(message: string): Refusal {
  return new Refusal('forbidden', 'FORBIDDEN', message);
}
