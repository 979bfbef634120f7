import type { Endpoint, ProposalAction } from '@plataforma/contracts';
import type { Transaction } from '@plataforma/data';
import { type Cents, toDecimal } from '@plataforma/kernel';
import type { Proposal } from '@plataforma/tables';
import type { z } from 'zod';

/** The operator who decides a change, and the proposal that the operator approves. */
export interface Decision {
  operatorId: string;
  /** Null if a single operator makes the change without a proposal. */
  proposal: Pick<Proposal, 'id' | 'proposedBy'> | null;
  isAlone: boolean;
}

interface Definition<Arguments extends object, Outcome> {
  name: ProposalAction;
  /** The endpoint that makes the proposal. Its roles may approve. */
  endpoint: Endpoint;
  /** Reads the stored arguments. It must accept what an earlier release stored within the last day. */
  schema: z.ZodType<Arguments>;
  /** Returns one English sentence that says what the change does, with amounts. */
  effect: (given: Arguments) => string;
  /** Makes the change and writes the audit log, in the transaction of the approval. */
  execute: (tx: Transaction, given: Arguments, decision: Decision) => Promise<Outcome>;
  /** The argument that is deleted after the decision. */
  secret?: keyof Arguments & string;
}

/** A change that one operator proposes and another approves. */
export interface ProposedAction<Outcome = unknown> {
  name: ProposalAction;
  endpoint: Endpoint;
  effect: (given: Record<string, unknown>) => string;
  execute: (tx: Transaction, given: unknown, decision: Decision) => Promise<Outcome>;
  secret?: string;
}

export type ProposedActions = readonly ProposedAction[];

/** Returns undefined for an action that only a newer release knows. */
export function actionNamed(actions: ProposedActions, name: string): ProposedAction | undefined {
  return actions.find((action) => action.name === name);
}

/** Creates an action that validates its arguments each time. */
export function proposedAction<Arguments extends object, Outcome>({
  schema,
  effect,
  execute,
  ...action
}: Definition<Arguments, Outcome>): ProposedAction<Outcome> {
  return {
    ...action,
    // The schema requires the secret, which a decided proposal no longer has.
    effect: (given) => effect(schema.parse({ ...(action.secret && { [action.secret]: '' }), ...given })),
    execute: (tx, given, decision) => execute(tx, schema.parse(given), decision),
  };
}

/** Returns the fields of an audit row that name the operators of a decision. */
export function decidersIn({ proposal, isAlone }: Decision): Record<string, unknown> {
  return { isAlone, ...(proposal && { proposalId: proposal.id, proposedBy: proposal.proposedBy }) };
}

/** Returns an amount for the sentence of an effect: 123456 → "R$ 1,234.56". Requires an amount of 0 or more. */
export function inReais(amount: Cents): string {
  return `R$ ${toDecimal(amount).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}
