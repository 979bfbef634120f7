import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { paid } from './support/emitter.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
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
  await asOperator(world.first, { path: '/v1/admin/ledger/adjustments', body });

  const listed = await look(`audit-log?subjectId=${tenant.merchantId}`);
  const verified = await look('audit-log/verify');

  expect(listed.answer).toMatchObject({
    data: [{ action: 'wallet.adjustment', reason: 'Estorno de tarifa', after: { amount: 700 } }],
  });
  expect(verified.answer).toMatchObject({ data: { isIntact: true, rows: 1, next: null } });
});

const LETTER = `
  INSERT INTO dead_letters (id, fingerprint, event_id, type, signature, body, reason, died_at)
  VALUES ($1, $2, $3, $4, 'valid', $5, 'rejected', now())`;

test('a payment that could not be posted is listed, replayed once, and then on record', async () => {
  const id = newId();
  const tenant = newTenant();
  const occurredAt = new Date().toISOString();
  const event = { ...paid(tenant), id: newId(), version: 1, occurredAt, traceparent: null };
  const body = Buffer.from(JSON.stringify(event));
  await world.database.query(LETTER, [id, event.id, event.id, event.type, body]);
  const replay = () =>
    asOperator(world.first, { path: `/v1/admin/ledger/dead-letters/${id}/replay`, body: {} });

  const listed = await look('dead-letters?replayed=false&type=charge.paid');
  const replayed = await replay();
  const again = await replay();

  expect(listed.answer).toMatchObject({ data: [{ id, eventId: event.id }] });
  expect(replayed).toMatchObject({ status: 200, answer: { data: { id, outcome: 'APPLIED' } } });
  expect(again).toMatchObject({ status: 409, answer: { error: { code: 'INVALID_STATE' } } });
  expect(await world.balanceOf(tenant)).toMatchObject({ totalEarned: 2_500 });
  const audited = await look(`audit-log?subjectId=${id}`);
  expect(audited.answer).toMatchObject({ data: [{ action: 'dead_letter.replay' }] });
});

test('a payment whose amounts contradict each other stays a dead letter, however often it is replayed', async () => {
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
  expect((await look(`dead-letters/${letter?.id}`)).answer).toMatchObject({ data: { replayedAt: null } });
});

test('what operators have changed is not for merchants', async () => {
  for (const path of ['audit-log', 'audit-log/verify', 'dead-letters', `dead-letters/${newId()}`]) {
    const headers = merchantHeader(newTenant());
    expect((await fetch(`${world.first.url}/v1/admin/ledger/${path}`, { headers })).status).toBe(401);
  }
});
