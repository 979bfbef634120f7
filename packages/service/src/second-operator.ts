import { Refusal } from '@plataforma/kernel';
import type { OperatorStep } from '@plataforma/tables';

interface Asking {
  operatorId: string;
  /** The operators who may make this change at the moment. */
  active: readonly string[];
  now: Date;
}

/** The lifetime of an operator's proposal: one day. */
const PROPOSAL_MS = 24 * 3_600_000;

/**
 * Returns the role of an operator's request in a change that needs two operators. `first`: it proposes the
 * change. `same`: the same operator proposes it again. `second`: a second operator completes it. `alone`: the
 * only active operator completes it. Refuses an operator who is not active with FORBIDDEN.
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
