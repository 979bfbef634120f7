import type { Queryable } from '@plataforma/data';

const HOLD_BACK = `
  UPDATE withdrawals SET approvals_needed = 1, next_check_at = NULL
  WHERE id = $1 AND environment = 'sandbox' AND status = 'PENDING' AND first_approver IS NULL
  RETURNING id`;

/** Has a withdrawal of the sandbox wait for its merchant, who plays the operator; false when it does not wait any more. */
export async function holdBack(db: Queryable, id: string): Promise<boolean> {
  return (await db.query(HOLD_BACK, [id])).length === 1;
}
