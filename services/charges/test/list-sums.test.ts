import { expect, test } from '@jest/globals';
import { meta as metaOfList, type SumsView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { chargeSums } from '../migrations/041-charge-sums.ts';
import { newTenant } from './support/identity.ts';
import { startRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(startRefundWorld);

async function summed(tenant: Tenant, list: string, query = ''): Promise<SumsView | undefined> {
  const { meta, status } = await world.call(tenant, `/v1/${list}?sums=true&${query}`);
  expect(status).toBe(200);
  return metaOfList.parse(meta).sums;
}

const NOTHING = { count: 0, amount: 0, grossAmount: 0, feeAmount: 0, refundedAmount: 0, netAmount: 0 };

test('charges sum gross, fees and net of the paid ones alone', async () => {
  const tenant = newTenant();
  const paid = await world.paidCharge({ amount: 10_000 }, { tenant });
  const refunded = await world.paidCharge({ amount: 2_500 }, { tenant });
  await refunded.refund({ amount: 700 });
  await refunded.becomes('DONE');
  await world.client.newCharge(tenant, { amount: 4_000, externalId: 'aguarda', payerName: 'Ana Souza' });
  const cancelled = await world.client.newCharge(tenant, { amount: 5_000 });
  await world.client.cancel(tenant, cancelled.id);
  const fees = (await world.client.charge(tenant, paid.id)).feeAmount;
  const fee = (await world.client.charge(tenant, refunded.id)).feeAmount;

  const ofPaid = {
    ...{ grossAmount: 12_500, feeAmount: fees + fee, refundedAmount: 700 },
    netAmount: 12_500 - fees - fee - 700,
  };
  const inPart = { grossAmount: 2_500, feeAmount: fee, refundedAmount: 700, netAmount: 1_800 - fee };
  const today = new Date().toISOString();
  expect(await summed(tenant, 'charges')).toEqual({ ...ofPaid, count: 4, amount: 21_500 });
  expect(await summed(tenant, 'charges', 'limit=1&page=3')).toEqual({ ...ofPaid, count: 4, amount: 21_500 });
  expect(
    await summed(tenant, 'charges', 'endDate=9999-12-31T00:00:00Z&startDate=2000-01-01T10:00:00Z'),
  ).toEqual({ ...ofPaid, count: 4, amount: 21_500 });
  expect(await summed(tenant, 'charges', `startDate=${encodeURIComponent(today)}`)).toEqual(NOTHING);
  expect(await summed(tenant, 'charges', 'status=PENDING')).toEqual({ ...NOTHING, count: 1, amount: 4_000 });
  expect(await summed(tenant, 'charges', 'status=REFUNDED')).toEqual({ ...inPart, count: 1, amount: 2_500 });
  expect(await summed(tenant, 'charges', 'minAmount=5000')).toMatchObject({ count: 2, amount: 15_000 });
  expect(await summed(tenant, 'charges', 'search=aguarda')).toEqual({ ...NOTHING, count: 1, amount: 4_000 });
  expect(await summed(tenant, 'charges', 'search=ninguem')).toEqual(NOTHING);
  expect(await summed({ ...tenant, environment: 'production' }, 'charges')).toEqual(NOTHING);
  expect(await summed(newTenant(), 'charges')).toEqual(NOTHING);
});

test('a list without the parameter has no sums', async () => {
  const { meta } = await world.call(newTenant(), '/v1/charges');

  expect(meta).not.toHaveProperty('sums');
});

test('refunds and disputes sum their amounts', async () => {
  const tenant = newTenant();
  const charge = await world.paidCharge({ payerName: 'Zélia Prado', externalId: 'z-1' }, { tenant });
  await charge.refund({ amount: 700 });
  await charge.becomes('DONE');
  const other = await world.paidCharge({}, { tenant });
  await other.refund({ amount: 900 });
  await other.becomes('DONE');

  expect(await summed(tenant, 'refunds')).toEqual({ count: 2, amount: 1_600 });
  expect(await summed(tenant, 'refunds', 'status=FAILED')).toEqual({ count: 0, amount: 0 });
  expect(await summed(tenant, 'refunds', 'search=zelia')).toEqual({ count: 1, amount: 700 });
  expect(await summed(tenant, 'disputes')).toEqual({ count: 0, amount: 0 });
});

test('the migration adds older charges once, beside writers', async () => {
  const tenant = newTenant();
  await world.client.newCharge(tenant, { amount: 4_000 });
  await world.database.query('DELETE FROM charge_sums_folded WHERE merchant_id = $1', [tenant.merchantId]);
  await world.database.query('DELETE FROM charge_sums_changes WHERE merchant_id = $1', [tenant.merchantId]);
  await world.client.newCharge(tenant, { amount: 5_000 });
  const statements = chargeSums.flatMap((step) => ('online' in step ? step.online : []));
  const before = await summed(tenant, 'charges');
  for (const statement of [...statements, ...statements]) await world.database.query(statement);

  expect(before).toEqual({ ...NOTHING, count: 1, amount: 5_000 });
  expect(await summed(tenant, 'charges')).toEqual({ ...NOTHING, count: 2, amount: 9_000 });
});
