import { expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { disputeOf, paid, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { entryAt, eventful, lengthOf, tamper } from './support/tampering.ts';
import { asOperator, sharedSeededWorld } from './support/world.ts';

const world = worldOfFile(sharedSeededWorld);

const end = z.object({ sequence: z.int(), hash: z.string().nullable() });
const proof = z.object({
  from: end,
  reached: end,
  head: end,
  wallet: z.record(z.string(), z.int()),
  moved: z.record(z.string(), z.int()),
  credits: z.array(z.object({ kind: z.string(), reference: z.string(), amount: z.int() })),
  misfits: z.int(),
  debit: z.object({ sequence: z.int(), amount: z.int() }).nullable(),
});

interface Page {
  after?: number;
  limit?: number;
  withdrawalId?: string;
}

async function prove({ merchantId, environment }: Tenant, { withdrawalId = newId(), ...page }: Page = {}) {
  const query = new URLSearchParams({ merchantId, environment, withdrawalId });
  for (const [name, value] of Object.entries(page)) query.set(name, String(value));
  return proof.parse((await world.askAs('withdrawals', `/internal/wallet-proof?${query}`)).data);
}

test('proof pages add up to a wallet’s balances and head', async () => {
  const { tenant } = await eventful(world);

  const sums: Record<string, number> = {};
  let after = 0;
  for (;;) {
    const page = await prove(tenant, { after, limit: 3 });
    expect(page.misfits).toBe(0);
    for (const [account, amount] of Object.entries(page.moved)) sums[account] = (sums[account] ?? 0) + amount;
    if (page.reached.sequence === after) break;
    after = page.reached.sequence;
  }

  const { wallet, head, from } = await prove(tenant, { after });
  const nonZero = Object.entries(sums).filter(([, amount]) => amount !== 0);
  expect(Object.fromEntries(nonZero)).toEqual(wallet);
  expect(from).toEqual(head);
  expect(head.sequence).toBe(await lengthOf(world, tenant));
});

test('a proof names each credit’s source and a withdrawal’s debit', async () => {
  const tenant = newTenant();
  const charge = paid(tenant, { amount: 10_000, feeAmount: 100 });
  const won = disputeOf(charge, 2_000);
  const [sent, back] = [
    withdrawalOf(tenant, { netAmount: 50, fee: 1 }),
    withdrawalOf(tenant, { netAmount: 70, fee: 0 }),
  ];
  await world.deliver(charge);
  for (const { order } of [sent, back]) await world.withdraw(order);
  await world.deliver(back.failed, won.resolved('RESOLVED_MERCHANT'));
  await asOperator(world.first, {
    path: '/v1/admin/ledger/adjustments',
    body: { ...tenant, amount: 300, description: 'x' },
  });

  const { credits, debit } = await prove(tenant, { withdrawalId: sent.order.id });

  expect(credits.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['charge_paid', 9_900],
    ['withdrawal_returned', 70],
    ['dispute_won', 2_000],
    ['adjustment', 300],
  ]);
  expect(debit).toEqual({ sequence: 2, amount: 51 });
  expect((await prove(tenant, { withdrawalId: back.order.id })).debit).toBeNull();
  expect((await prove(newTenant(), { withdrawalId: sent.order.id })).debit).toBeNull();
});

test('a proof shows changed entries, changed wallets and missing entries', async () => {
  const tenant = newTenant();
  await world.deliver(paid(tenant), paid(tenant));
  const before = await prove(tenant);
  const owner = [tenant.merchantId, tenant.environment];

  await tamper(
    world,
    'UPDATE wallets SET available_pix_cents = available_pix_cents + 1 WHERE merchant_id = $1 AND environment = $2',
    owner,
  );
  const changed = await prove(tenant);
  await tamper(world, `UPDATE journal_entries SET memo = 'x' WHERE id = $1`, [
    await entryAt(world, tenant, 1),
  ]);
  const rewritten = await prove(tenant);
  const ahead = await prove(tenant, { after: 9 });

  expect(before.wallet).toEqual(before.moved);
  expect(changed.wallet).not.toEqual(changed.moved);
  expect([before.misfits, changed.misfits, rewritten.misfits]).toEqual([0, 0, 1]);
  expect(ahead).toMatchObject({
    from: { sequence: 9, hash: null },
    reached: { sequence: 9 },
    head: { sequence: 2 },
  });
});
