import { expect } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { disputeOf, paid, paidByCard, refundOf, refused, withdrawalOf } from './emitter.ts';
import { newTenant } from './identity.ts';
import { asOperator, type World } from './world.ts';

const said = z.union([z.number(), z.string()]).nullable();
const verification = z.object({
  success: z.literal(true),
  data: z.object({
    wallets: z.number(),
    entries: z.number(),
    differences: z.array(
      z.object({
        merchantId: z.string(),
        environment: z.string(),
        what: z.string(),
        recorded: said,
        computed: said,
      }),
    ),
    next: z.string().nullable(),
  }),
});

export const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

export async function verify({ first }: World, query: Record<string, string> = {}) {
  const path = `/v1/admin/ledger/verify?${new URLSearchParams(query)}`;
  const { answer } = await asOperator(first, { path, role: 'SUPPORT' });
  return verification.parse(answer).data;
}

/** Verifies a wallet and returns each difference as name, recorded value and computed value. */
export async function differencesOf(world: World, { merchantId, environment }: Tenant) {
  const { differences } = await verify(world, { merchantId, environment });
  for (const difference of differences) expect(difference).toMatchObject({ merchantId, environment });
  return differences.map(({ what, recorded, computed }) => [what, recorded, computed]);
}

/** Creates a wallet with entries of many kinds, and returns one of its charges. */
export async function eventful(world: World) {
  const tenant = newTenant();
  const [pix, card, disputed] = [paid(tenant), paidByCard(tenant), paid(tenant, { feeAmount: 2_500 })];
  const refund = refundOf(card, { amount: 500 });
  const withdrawals = [withdrawalOf(tenant), withdrawalOf(tenant, { netAmount: 50, fee: 0 })] as const;
  await world.deliver(pix, card, disputed);
  await world.refund(refund);
  for (const { order } of withdrawals) await world.withdraw(order);
  await world.deliver(
    refused(refund),
    withdrawals[0].completed,
    withdrawals[1].failed,
    disputeOf(disputed, 2_000).resolved('RESOLVED_CUSTOMER'),
    paid(tenant, { amount: 10_000, feeAmount: 100 }),
  );
  const change = { ...tenant, amount: 300, reason: 'x', description: 'x' };
  for (const route of ['blocks', 'adjustments']) {
    await asOperator(world.first, { path: `/v1/admin/ledger/${route}`, body: change });
  }
  return { tenant, card };
}

/** Changes rows that triggers protect. Only an administrator of the database server can do this. */
export async function tamper({ database }: World, sql: string, values: unknown[]): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.queryUnprepared(sql, values);
  });
}

/** Deletes an entry with its lines and statement rows. */
export async function takeOut(world: World, entry: string): Promise<void> {
  await tamper(world, 'DELETE FROM journal_lines WHERE entry_id = $1', [entry]);
  await tamper(world, 'DELETE FROM wallet_transactions WHERE entry_id = $1', [entry]);
  await tamper(world, 'DELETE FROM journal_entries WHERE id = $1', [entry]);
}

export async function entryAt(
  { database }: World,
  { merchantId, environment }: Tenant,
  sequence: number,
): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    'SELECT id FROM journal_entries WHERE merchant_id = $1 AND environment = $2 AND wallet_sequence = $3',
    [merchantId, environment, sequence],
  );
  return row?.id ?? '';
}

export async function lengthOf({ database }: World, { merchantId, environment }: Tenant): Promise<number> {
  const [row] = await database.query<{ length: number }>(
    'SELECT chain_sequence AS length FROM wallets WHERE merchant_id = $1 AND environment = $2',
    [merchantId, environment],
  );
  return row?.length ?? 0;
}
