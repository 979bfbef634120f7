import { expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { serviceHeader } from './support/identity.ts';
import { sharedRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

async function credited(
  { merchantId, environment }: Tenant,
  [kind, ...references]: [string, ...string[]],
  headers = serviceHeader('withdrawals'),
) {
  const body = { merchantId, environment, kind, references };
  const { status, data } = await world.client.send('/internal/credits', { method: 'POST', headers, body });
  return status === 200 ? data : status;
}

test('a paid charge has one credit, for its merchant alone', async () => {
  const [paid, refunded] = [await world.paidCharge(), await world.paidCharge({ amount: 9_000 })];
  await refunded.refund();
  await refunded.becomes('DONE');
  const open = await world.client.newCharge(paid.tenant);

  expect(await credited(paid.tenant, ['charge_paid', paid.id])).toEqual({ count: 1, amount: paid.netAmount });
  expect(await credited(refunded.tenant, ['charge_paid', refunded.id])).toMatchObject({
    ...{ count: 1, amount: refunded.netAmount },
  });
  const strange = [open.id, refunded.id, newId()] as const;
  expect(await credited(paid.tenant, ['charge_paid', ...strange])).toEqual({ count: 0, amount: 0 });
});

test('a won dispute has a credit; an unrefused refund has none', async () => {
  const charge = await world.paidCharge();
  const { data } = await world.dispute(charge.id, { amount: 700 });
  const id = data !== null && typeof data === 'object' && 'id' in data ? String(data.id) : '';
  const undecided = await credited(charge.tenant, ['dispute_won', id]);
  await world.operate(`/disputes/${id}/resolve`, { outcome: 'MERCHANT', resolution: 'x' });
  await charge.refund({ amount: 800 });
  const [refund] = await charge.refunds();

  expect(undecided).toEqual({ count: 0, amount: 0 });
  expect(await credited(charge.tenant, ['dispute_won', id])).toEqual({ count: 1, amount: 700 });
  expect(await credited(charge.tenant, ['refund_refused', refund?.id ?? newId()])).toEqual({
    ...{ count: 0, amount: 0 },
  });
});

test('an unknown kind of credit is refused with 400', async () => {
  const { tenant, id } = await world.paidCharge();

  expect(await credited(tenant, ['adjustment', id])).toBe(400);
});
