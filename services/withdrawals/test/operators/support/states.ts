import { expect } from '@jest/globals';
import type { WithdrawalView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { type Followed, followed } from '../../payout/support/payouts.ts';
import { bankBody, saved } from '../../support/destination-bodies.ts';
import type { World } from '../../support/world.ts';

type Traits = Parameters<World['newMerchant']>[0];

export async function pending(
  world: World,
  changes: Record<string, unknown> = {},
  traits: Traits = {},
): Promise<Followed> {
  const tenant = world.newMerchant(traits, 'production');
  return followed(world, tenant, await world.client.newWithdrawal(tenant, changes));
}

export async function pendingTed(world: World, tenant: Tenant = world.newMerchant()): Promise<Followed> {
  const { id: destinationId } = await saved(world.client, tenant, bankBody);
  const created = await world.client.newWithdrawal(tenant, {
    destinationId,
    pixKey: undefined,
    pixKeyType: undefined,
  });
  return followed(world, tenant, created);
}

const approved = async (world: World, withdrawal: Followed): Promise<Followed> => {
  const answer = await world.client.approve(withdrawal.id, newId());
  if (answer.status !== 200) throw new Error(`not approved: ${JSON.stringify(answer)}`);
  return withdrawal;
};

const until = async (withdrawal: Followed, status: WithdrawalView['status']): Promise<Followed> => {
  await withdrawal.becomes(status);
  return withdrawal;
};

/** Functions that create a withdrawal in each visible state. The withdrawal stays in that state. */
export const states: Record<string, (world: World) => Promise<Followed>> = {
  PENDING: (world) => pending(world),
  // Set the next check to tomorrow, because the scheduler would otherwise pay the withdrawal at once.
  APPROVED: async (world) => {
    const withdrawal = await approved(world, await pending(world, {}, { destinationCooldownHours: 24 }));
    const sql = `UPDATE withdrawals SET status = 'APPROVED', next_check_at = now() + interval '1 day'
      WHERE id = $1`;
    await world.database.query(sql, [withdrawal.id]);
    return withdrawal;
  },
  PROCESSING: async (world) => {
    world.bank.paysAtOnce(false);
    const withdrawal = await until(await approved(world, await pending(world)), 'PROCESSING');
    // Wait until the provider's answer to the payout is recorded. Otherwise the bank could get the order
    // after `paysAtOnce(true)` and complete the payout.
    await eventually(async () => expect((await withdrawal.now()).providerTxId).not.toBeNull());
    world.bank.paysAtOnce(true);
    return withdrawal;
  },
  'PROCESSING, a TED': async (world) => until(await approved(world, await pendingTed(world)), 'PROCESSING'),
  COMPLETED: async (world) => until(await approved(world, await pending(world)), 'COMPLETED'),
  FAILED: async (world) => {
    world.bank.next('order', () => ({ status: 400, body: { nome: 'chave_invalida' } }));
    return until(await approved(world, await pending(world)), 'FAILED');
  },
  REJECTED: async (world) => {
    const withdrawal = await pending(world);
    await world.client.reject(withdrawal.id, newId());
    return until(withdrawal, 'REJECTED');
  },
};

/** Returns the audit rows of a withdrawal, the oldest first. */
export function auditOf({ database }: World, { id }: Followed): Promise<Record<string, unknown>[]> {
  const sql = `SELECT operator_id, action, before, after, reason FROM audit_log WHERE subject_id = $1
    ORDER BY id`;
  return database.query(sql, [id]);
}
