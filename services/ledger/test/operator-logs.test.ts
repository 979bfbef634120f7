import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { headersFor, newTenant } from './support/identity.ts';
import { asOperator, startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const look = (path: string) => asOperator(world.first, { path: `/v1/admin/ledger/${path}`, role: 'SUPPORT' });

test('what operators have changed is listed, and the list vouches for itself', async () => {
  const tenant = newTenant();
  const body = { ...tenant, amount: 700, description: 'Estorno de tarifa' };
  await asOperator(world.first, { method: 'POST', path: '/v1/admin/ledger/adjustments', body });

  const listed = await look(`audit-log?subjectId=${tenant.merchantId}`);
  const verified = await look('audit-log/verify');

  expect(listed.answer).toMatchObject({
    data: [{ action: 'wallet.adjustment', reason: 'Estorno de tarifa', after: { amount: 700 } }],
  });
  expect(verified.answer).toMatchObject({ data: { isIntact: true, rows: 1, next: null } });
});

test('what operators have changed is not for merchants', async () => {
  for (const path of ['audit-log', 'audit-log/verify']) {
    const headers = headersFor(newTenant());
    expect((await fetch(`${world.first.url}/v1/admin/ledger/${path}`, { headers })).status).toBe(401);
  }
});
