import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { operatorAs } from './support/operators.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

test('both audit lists show operators’ changes, and verification passes', async () => {
  const nothingKept = JSON.stringify({ success: true, data: { anchors: [], next: null } });
  for (const keeper of [world.services.charges, world.services.ledger])
    keeper.answer(() => ({
      status: 200,
      body: nothingKept,
      headers: { 'content-type': 'application/json' },
    }));
  const admin = await operatorAs(world, 'ADMIN');
  const support = await operatorAs(world, 'SUPPORT');
  const { id } = await world.newMerchant();
  await world.call(`/v1/admin/merchants/${id}/approve`, { method: 'POST', headers: admin.headers });

  const read = (path: string) => world.call(`/v1/admin/${path}`, { headers: support.headers });
  const lists = [
    await read(`audit-log?subjectId=${id}`),
    await read(`gateway/audit-log?operatorId=${admin.id}`),
  ];
  const verified = await read('gateway/audit-log/verify');

  const approval = { action: 'merchant.approve', after: { status: 'APPROVED' } };
  const enrolment = { action: 'operator.enrol_factor', subjectId: admin.id };
  expect(lists.map(({ json }) => json.data)).toMatchObject([[approval], [approval, enrolment]]);
  expect(verified.json.data).toMatchObject({ isIntact: true, rows: 3, next: null });
});
