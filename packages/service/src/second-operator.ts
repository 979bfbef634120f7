import { Refusal } from '@plataforma/kernel';
import type { OperatorStep } from '@plataforma/tables';

interface Asking {
  operatorId: string;
  /** All operators who may do it at this moment. */
  active: readonly string[];
  now: Date;
}

/** As proposals of operators do, it ends after a day. */
const PROPOSAL_MS = 24 * 3_600_000;

/**
 * Returns an operator's place in a change that needs two: it is the `first` to ask, or asks the `same` again;
 * it is the `second`, so that it is done, or `alone`, as there is no other active operator.
 */
export function decideApproval(
  proposal: OperatorStep | null,
  { operatorId, active, now }: Asking,
): 'first' | 'same' | 'second' | 'alone' {
  if (!active.includes(operatorId)) {
    throw new Refusal('forbidden', 'FORBIDDEN', 'you are no active operator who may do this any more');
  }
  if (active.length === 1) return 'alone';
  const stands =
    proposal !== null && active.includes(proposal.by) && now.getTime() - proposal.at.getTime() < PROPOSAL_MS;
  if (!stands) return 'first';
  return proposal.by === operatorId ? 'same' : 'second';
}
