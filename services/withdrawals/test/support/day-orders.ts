import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { ApprovalReason, WithdrawalView } from '@plataforma/contracts';
import { bankDayOf, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import type { World } from './world.ts';

/** If midnight is less than a minute away, waits for the next day, because the limits count by day. */
export async function farFromMidnight(): Promise<void> {
  const left = bankDayOf(new Date()).until.getTime() - Date.now();
  if (left < 60_000) await sleep(left + 1_000);
}

const MOVE = 'UPDATE withdrawals SET created_at = $2 WHERE merchant_id = $1';

/** Moves all withdrawals of a merchant to this distance in milliseconds from the last midnight in São Paulo. */
export async function moveToMidnight({ database }: World, { merchantId }: Tenant, ms: number): Promise<void> {
  await database.query(MOVE, [merchantId, new Date(bankDayOf(new Date()).from.getTime() + ms)]);
}

export interface Split {
  left: string[];
  waiting: string[];
}

/**
 * Waits until the scheduler has decided on each withdrawal. The bank has paid those that were sent. All
 * others wait for one approval with this reason.
 */
export async function splitOf(
  world: World,
  merchant: Tenant,
  { left, reason }: { left: number; reason: ApprovalReason },
): Promise<Split> {
  return eventually(async () => {
    const views = await viewsOf(world, merchant);
    const ids = (status: WithdrawalView['status']) =>
      views.filter((view) => view.status === status).map(({ id }) => id);
    const split = { left: ids('COMPLETED'), waiting: ids('PENDING') };
    expect([split.left.length, split.left.length + split.waiting.length]).toEqual([left, views.length]);
    for (const { id, status, createdAt: since, waitingFor } of views) {
      const wait = { what: 'approval', since, until: null, who: 'one_operator', reason };
      expect(waitingFor).toEqual(status === 'PENDING' ? wait : null);
      expect(world.bank.payoutOf(id) !== undefined).toBe(status === 'COMPLETED');
    }
    return split;
  });
}

async function viewsOf(world: World, merchant: Tenant): Promise<WithdrawalView[]> {
  const rows = await world.rowsOf(merchant);
  return Promise.all(rows.map(({ id }) => world.client.withdrawal(merchant, id)));
}
