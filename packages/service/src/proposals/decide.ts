import type { ProposalAction } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { newId, Refusal } from '@plataforma/kernel';
import {
  findSameProposal,
  insertProposal,
  lockProposal,
  type Proposal,
  type ProposalRow,
  saveProposal,
  timeOf,
  writeAudit,
} from '@plataforma/tables';
import type { ActiveOperators } from '../operators.ts';
import {
  ANOTHER_APPROVES,
  decideApproval,
  forbidden,
  operatorsFor,
  PROPOSAL_MS,
} from '../second-operator.ts';
import { actionNamed, type Decision, type ProposedAction, type ProposedActions } from './action.ts';

export interface ProposalDependencies {
  /** Runs the work in a transaction. It may translate errors, and repeat the work. */
  transaction: Database['transaction'];
  operators: ActiveOperators;
  actions: ProposedActions;
}

type SaveResponse<Outcome> = (tx: Transaction, outcome: Outcome) => Promise<void>;

/** The fields that a proposal shows and executes. Absent fields become null. */
interface Change extends Pick<Proposal, 'arguments' | 'subjectId'> {
  merchantId?: string;
  environment?: Proposal['environment'];
  amount?: number;
  reason?: string;
}

interface ChangeRequest extends Change {
  operatorId: string;
}

/** The change, if a single operator made it at once; otherwise the proposal of the change. */
export type Requested<Outcome> = { done: Outcome } | { proposal: ProposalRow };

/**
 * Makes a change at once for a single operator, and otherwise stores a proposal. If the same operator has
 * already proposed the change, returns that open proposal.
 */
export async function requestChange<Outcome>(
  { transaction, operators }: Omit<ProposalDependencies, 'actions'>,
  action: ProposedAction<Outcome>,
  request: ChangeRequest,
  saveResponse: SaveResponse<Requested<Outcome>> = async () => {},
): Promise<Requested<Outcome>> {
  const { operatorId } = request;
  const active = operatorsFor(action.endpoint, await operators());
  return transaction(async (tx) => {
    const now = await timeOf(tx);
    const isAlone = decideApproval(null, { operatorId, active, now }) === 'alone';
    const decision = { operatorId, proposal: null, isAlone };
    const requested = isAlone
      ? { done: await action.execute(tx, request.arguments, decision) }
      : { proposal: await propose(tx, action.name, { request, now }) };
    await saveResponse(tx, requested);
    return requested;
  });
}

async function propose(
  tx: Transaction,
  action: ProposalAction,
  { request, now }: { request: ChangeRequest; now: Date },
): Promise<ProposalRow> {
  const { operatorId: proposedBy, ...change } = request;
  const same = await findSameProposal(tx, { action, proposedBy, arguments: change.arguments });
  if (same) return same;
  const proposal: Proposal = {
    ...{ id: newId(), action, merchantId: null, environment: null, amount: null, reason: null, ...change },
    ...{ proposedBy, proposedAt: now, expiresAt: new Date(now.getTime() + PROPOSAL_MS) },
    ...{ status: 'PROPOSED', decidedBy: null, decidedAt: null, decisionReason: null },
  };
  const inserted = await insertProposal(tx, proposal);
  const { id: subjectId, merchantId, environment, amount, reason } = proposal;
  await writeAudit(tx, {
    ...{ operatorId: proposedBy, action: 'proposal.create', subjectId, reason },
    ...{ before: {}, after: { action, subject: proposal.subjectId, merchantId, environment, amount } },
  });
  return inserted;
}

interface Deciding {
  id: string;
  operatorId: string;
}

/**
 * Executes a proposal once, in the transaction of its approval. If the execution is refused, the proposal
 * stays open. A repeat by the same operator returns the executed proposal.
 */
export async function approveProposal(
  { transaction, operators, actions }: ProposalDependencies,
  { id, operatorId }: Deciding,
  saveResponse: SaveResponse<ProposalRow>,
): Promise<ProposalRow> {
  const everyone = await operators();
  return transaction(async (tx) => {
    const proposal = await getLocked(tx, id);
    const action = actionOf(actions, proposal);
    const active = operatorsFor(action.endpoint, everyone);
    const now = await timeOf(tx);
    const isRepeat = proposal.status === 'EXECUTED' && proposal.decidedBy === operatorId;
    const after = isRepeat
      ? proposal
      : await execute(tx, action, { proposal, decision: decide(proposal, { operatorId, active, now }), now });
    await saveResponse(tx, after);
    return after;
  });
}

function decide(proposal: Proposal, asking: Parameters<typeof decideApproval>[1]): Decision {
  requireOpen(proposal, asking.now);
  const approval = decideApproval({ by: proposal.proposedBy, at: proposal.proposedAt }, asking);
  if (approval === 'same') throw forbidden(`you have proposed this; ${ANOTHER_APPROVES}`);
  if (approval === 'first') {
    throw invalidState('the operator who proposed this may no longer do so; propose the change again');
  }
  return { operatorId: asking.operatorId, proposal, isAlone: approval === 'alone' };
}

async function execute(
  tx: Transaction,
  action: ProposedAction,
  { proposal, decision, now }: { proposal: Proposal; decision: Decision; now: Date },
): Promise<ProposalRow> {
  await action.execute(tx, proposal.arguments, decision);
  return saveProposal(
    tx,
    decided(action, proposal, { status: 'EXECUTED', by: decision.operatorId, at: now }),
  );
}

/** Closes a proposal without executing it, for its proposer or an operator whose role may approve it. */
export async function rejectProposal(
  { transaction, operators, actions }: ProposalDependencies,
  { id, operatorId, reason }: Deciding & { reason: string },
): Promise<ProposalRow> {
  const everyone = await operators();
  return transaction(async (tx) => {
    const proposal = await getLocked(tx, id);
    const action = actionOf(actions, proposal);
    const active = operatorsFor(action.endpoint, everyone);
    if (proposal.proposedBy !== operatorId && !active.some((each) => each.id === operatorId)) {
      throw forbidden('only the proposer, or an operator with the role to approve this, may reject it');
    }
    const now = await timeOf(tx);
    requireOpen(proposal, now);
    const step = { status: 'REJECTED', by: operatorId, at: now } as const;
    const after = await saveProposal(tx, { ...decided(action, proposal, step), decisionReason: reason });
    await writeAudit(tx, {
      ...{ operatorId, action: 'proposal.reject', subjectId: id, reason },
      before: { status: proposal.status },
      after: { status: after.status, action: proposal.action, proposedBy: proposal.proposedBy },
    });
    return after;
  });
}

/** Locks the proposal. Throws NOT_FOUND, or INVALID_STATE for a row without a valid seal. */
async function getLocked(tx: Transaction, id: string): Promise<ProposalRow> {
  const proposal = await lockProposal(tx, id);
  if (proposal) return proposal;
  throw new Refusal('missing', 'NOT_FOUND', 'there is no proposal with this id');
}

function actionOf(actions: ProposedActions, { action }: Proposal): ProposedAction {
  const found = actionNamed(actions, action);
  if (!found) throw invalidState('this release does not know the proposed change; propose another one');
  return found;
}

function requireOpen({ status, expiresAt }: Proposal, now: Date): void {
  if (status !== 'PROPOSED') throw invalidState(`the proposal is ${status} already`);
  if (expiresAt <= now) throw invalidState('the proposal has expired; propose the change again');
}

function decided(
  { secret = '' }: ProposedAction,
  proposal: Proposal,
  { status, by, at }: Pick<Proposal, 'status'> & { by: string; at: Date },
): Proposal {
  const { [secret]: _secret, ...given } = proposal.arguments;
  return { ...proposal, arguments: given, status, decidedBy: by, decidedAt: at };
}

function invalidState(message: string): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', message);
}
