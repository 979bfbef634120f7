import type { OperatorRole } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { writeAudit } from '@plataforma/tables';
import { type Operator, requireActiveAdmin, requireAdminLeft } from '../domain/operator.ts';
import { lockAdminsAnd, saveOperator } from '../store/operators.ts';

interface OperatorChange {
  operatorId: string;
  /** The id of the operator whose role or access changes. */
  id: string;
  role?: OperatorRole | undefined;
  isActive?: boolean | undefined;
}

/** Changes an operator's role or access. A change that has no effect is not recorded. */
export function changeOperator(
  database: Database,
  { operatorId, id, role, isActive }: OperatorChange,
): Promise<Operator> {
  return database.transaction(async (tx) => {
    const operators = await lockAdminsAnd(tx, id);
    const before = operators.find((operator) => operator.id === id);
    requireActiveAdmin(operators, operatorId);
    if (!before) throw new Refusal('missing', 'NOT_FOUND', 'there is no operator with this id');
    const after = { ...before, role: role ?? before.role, isActive: isActive ?? before.isActive };
    if (after.role === before.role && after.isActive === before.isActive) return before;
    requireAdminLeft([after, ...operators.filter((operator) => operator !== before)]);
    await saveOperator(tx, after);
    await writeAudit(tx, {
      operatorId,
      action: 'operator.change',
      subjectId: id,
      before: { role: before.role, isActive: before.isActive },
      after: { role: after.role, isActive: after.isActive },
      reason: null,
    });
    return after;
  });
}
