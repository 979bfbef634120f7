import { ORDER_HEADER } from '@plataforma/http';
import type { Followed } from '../../payout/support/payouts.ts';
import { orderHeader } from '../../support/identity.ts';
import type { World } from '../../support/world.ts';

export type Changes = Parameters<typeof orderHeader>[0];

const APPROVE = `
  UPDATE withdrawals SET status = 'APPROVED', next_check_at = now(), first_approver = $2, first_approval = $3,
    second_approver = $4, second_approval = $5 WHERE id = $1`;

/** Returns a function that writes approvals into a row with valid seals, as a process of the service could. */
export const approveInRowOf =
  (world: Pick<World, 'database'>) =>
  ({ id }: Pick<Followed, 'id'>, [first, second]: [string, string | null][]) =>
    world.database.query(APPROVE, [id, ...(first ?? [null, null]), ...(second ?? [null, null])]);

export const approvalOf = ({ id }: Followed, operatorId: string, changes: Changes = {}) =>
  orderHeader({
    path: `/v1/admin/withdrawals/${id}/approve`,
    ...{ actor: `operator:${operatorId}`, ...changes },
  })[ORDER_HEADER] ?? '';
