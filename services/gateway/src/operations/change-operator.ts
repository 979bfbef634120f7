import { api, type OperatorRole, operatorRoles } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import {
  type Decision,
  decidersIn,
  type ProposalDependencies,
  proposedAction,
  type Requested,
  requestChange,
} from '@plataforma/service';
import { writeAudit } from '@plataforma/tables';
import { z } from 'zod';
import { type Operator, requireActiveAdmin, requireAdminLeft, widens } from '../domain/operator.ts';
import { findOperator, lockAdminsAnd, saveOperator } from '../store/operators.ts';

interface OperatorChange {
  /** The id of the operator whose role or access changes. */
  id: string;
  role?: OperatorRole | undefined;
  isActive?: boolean | undefined;
}

const given = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(operatorRoles).optional(),
  isActive: z.boolean().optional(),
});

export const promotion = proposedAction({
  ...{ name: 'operator.change', endpoint: api.changeOperator, schema: given },
  effect: ({ email, role, isActive }) => {
    const access = isActive === undefined ? [] : [isActive ? 'access' : 'no access'];
    return `Give the operator ${email} ${[...(role ? [`the role ${role}`] : []), ...access].join(' and ')}.`;
  },
  execute: (tx, change, decision) => changeIn(tx, change, decision),
});

/**
 * Changes an operator's role or access. Stores a proposal instead if the change gives more rights and the
 * installation has more than a single operator.
 */
export async function requestOperatorChange(
  { database, proposals }: { database: Database; proposals: ProposalDependencies },
  operatorId: string,
  change: OperatorChange,
): Promise<Requested<Operator>> {
  const before = await findOperator(database, change.id);
  if (!before || !widens(before, change)) {
    return { done: await changeOperator(database, { operatorId, ...change }) };
  }
  const request = { operatorId, arguments: { ...change, email: before.email }, subjectId: change.id };
  return requestChange(proposals, promotion, request);
}

/** Changes an operator at once. Refuses a change that gives more rights. */
export function changeOperator(
  database: Database,
  { operatorId, ...change }: OperatorChange & { operatorId: string },
): Promise<Operator> {
  return database.transaction((tx) => changeIn(tx, change, { operatorId }));
}

/**
 * Applies a change. Without a decision, refuses a change that gives more rights, and does not record a change
 * that has no effect.
 */
async function changeIn(
  tx: Transaction,
  { id, role, isActive }: OperatorChange,
  by: Decision | { operatorId: string },
): Promise<Operator> {
  const { operatorId } = by;
  const decision = 'proposal' in by ? by : null;
  const operators = await lockAdminsAnd(tx, id);
  const before = operators.find((operator) => operator.id === id);
  requireActiveAdmin(operators, operatorId);
  if (!before) throw new Refusal('missing', 'NOT_FOUND', 'there is no operator with this id');
  if (!decision && widens(before, { role, isActive })) {
    throw new Refusal(
      'conflict',
      'INVALID_STATE',
      'the operator was changed just now; send the request again',
    );
  }
  const after = { ...before, role: role ?? before.role, isActive: isActive ?? before.isActive };
  const isSame = after.role === before.role && after.isActive === before.isActive;
  if (isSame && !decision) return before;
  requireAdminLeft([after, ...operators.filter((operator) => operator !== before)]);
  await saveOperator(tx, after);
  await writeAudit(tx, {
    operatorId,
    action: 'operator.change',
    subjectId: id,
    before: { role: before.role, isActive: before.isActive },
    after: { role: after.role, isActive: after.isActive, ...(decision && decidersIn(decision)) },
    reason: null,
  });
  return after;
}
