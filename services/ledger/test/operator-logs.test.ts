import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { describeOperatorLogs } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { paid } from './support/emitter.ts';
import { newTenant, operatorHeader } from './support/identity.ts';
import { asOperator, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

describeOperatorLogs({
  service: 'ledger',
  world: () => world,
  operatorHeader,
  async change() {
    const tenant = newTenant();
    const body = { ...tenant, amount: 700, description: 'Estorno de tarifa' };
    await asOperator(world.first, { path: '/v1/admin/ledger/adjustments', body });
    return {
      filter: `subjectId=${tenant.merchantId}`,
      shown: { action: 'wallet.adjustment', reason: 'Estorno de tarifa', after: { amount: 700 } },
    };
  },
  letter() {
    const tenant = newTenant();
    const occurredAt = new Date().toISOString();
    return {
      event: { ...paid(tenant), id: newId(), version: 1, occurredAt, traceparent: null },
      expectApplied: async () => expect(await world.balanceOf(tenant)).toMatchObject({ totalEarned: 2_500 }),
    };
  },
});

test('a contradictory payment stays a dead letter after a replay', async () => {
  const tenant = newTenant();
  const poison = paid(tenant, { amount: 2_500, feeAmount: 2_600, netAmount: 0 });
  await world.emitter.announce(poison);
  const [letter] = await eventually(async () => {
    const found = await world.database.query<{ id: string }>(
      `SELECT id FROM dead_letters WHERE convert_from(body, 'UTF8') LIKE '%' || $1 || '%'`,
      [poison.data.id],
    );
    expect(found).toHaveLength(1);
    return found;
  });

  const path = `/v1/admin/ledger/dead-letters/${letter?.id}/replay`;
  const refused = await asOperator(world.first, { path, body: {} });

  expect(refused).toMatchObject({ status: 409, answer: { error: { code: 'INVALID_STATE' } } });
  expect(await world.balanceOf(tenant)).toMatchObject({ totalEarned: 0 });
  expect((await asOperator(world.first, { path: path.replace('/replay', '') })).answer).toMatchObject({
    data: { replayedAt: null },
  });
});
