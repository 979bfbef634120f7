import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { merchantHeader, newTenant } from './support/identity.ts';
import { newOperator, type RefundWorld, startRefundWorld } from './support/refund-world.ts';

let world: RefundWorld;

beforeAll(async () => {
  world = await startRefundWorld();
});
afterAll(() => world.stop());

test('what operators have changed is listed, and the list vouches for itself', async () => {
  const operator = newOperator();
  const charge = await world.paidCharge();
  const order = { chargeId: charge.id, reason: 'FRAUD', description: 'não fui eu' };
  await world.operate('/disputes', order, operator);

  const support = newOperator('SUPPORT');
  const listed = await world.operate(
    `/charges/audit-log?operatorId=${operator.operatorId}`,
    undefined,
    support,
  );
  const verified = await world.operate('/charges/audit-log/verify', undefined, support);

  expect(listed.data).toMatchObject([{ action: 'dispute.open', reason: 'não fui eu' }]);
  expect(verified.data).toMatchObject({ isIntact: true, rows: 1, next: null });
});

test('what operators have changed is not for merchants', async () => {
  for (const path of ['/v1/admin/charges/audit-log', '/v1/admin/charges/audit-log/verify']) {
    const headers = merchantHeader(newTenant());
    expect(await world.client.send(path, { method: 'GET', headers })).toMatchObject({ status: 401 });
  }
});
