import { Refusal } from '@plataforma/kernel';
import type { OperatorStep } from '@plataforma/tables';

interface Asking {
  operatorId: string;
  /** All operators who may do it at this moment. */
  active: readonly string[];
  now: Date;
}

/** A proposal of an operator expires after a day. */
const PROPOSAL_MS = 24 * 3_600_000;

/**
 * Returns the role of an operator's request in a change that needs two. The `first` proposes it, and the
 * `same` operator proposes it again. The `second` completes it, or the only active operator `alone`. Refuses
 * with FORBIDDEN an operator who is not active.
 */
export function decideApproval(
  proposal: OperatorStep | null,
  { operatorId, active, now }: Asking,
): 'first' | 'same' | 'second' | 'alone' {
  if (!active.includes(operatorId)) {
    throw new Refusal('forbidden', 'FORBIDDEN', 'you are no longer an active operator with this permission');
  }
  if (active.length === 1) return 'alone';
  const stands =
    proposal !== null && active.includes(proposal.by) && now.getTime() - proposal.at.getTime() < PROPOSAL_MS;
  if (!stands) return 'first';
  return proposal.by === operatorId ? 'same' : 'second';
}
