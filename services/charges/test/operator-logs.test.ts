import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
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

const LETTER = `
  INSERT INTO dead_letters (id, fingerprint, event_id, type, signature, body, reason, died_at)
  VALUES ($1, $2, $3, $4, 'valid', $5, 'rejected', now())`;

test('an event that could not be applied is listed, replayed once, and then on record', async () => {
  const id = newId();
  const merchant = { id: newId(), version: 1, name: 'Loja', status: 'APPROVED', checkoutColor: '#0a7f5a' };
  const event = {
    ...{ id: newId(), type: 'merchant.updated', version: 1, occurredAt: new Date().toISOString() },
    ...{
      merchantId: merchant.id,
      environment: null,
      aggregateId: merchant.id,
      sequence: 1,
      traceparent: null,
    },
    data: { ...merchant, pixFeeBps: 99, pixFeeFixed: 0 },
  };
  const body = Buffer.from(JSON.stringify(event));
  await world.database.query(LETTER, [id, event.id, event.id, event.type, body]);

  const listed = await world.operate('/charges/dead-letters?replayed=false');
  const inspected = await world.operate(`/charges/dead-letters/${id}`);
  const replayed = await world.operate(`/charges/dead-letters/${id}/replay`, { reason: 'Corrigido.' });
  const again = await world.operate(`/charges/dead-letters/${id}/replay`, {});

  expect(listed.data).toMatchObject([{ id, eventId: event.id, type: 'merchant.updated' }]);
  expect(inspected.data).toMatchObject({ id, body: expect.stringContaining('merchant.updated') });
  expect(replayed.data).toMatchObject({ id, outcome: 'APPLIED' });
  expect([again.status, again.error?.code]).toEqual([409, 'INVALID_STATE']);
  const kept = await world.database.query('SELECT version FROM merchants WHERE id = $1', [merchant.id]);
  expect(kept).toEqual([{ version: 1 }]);
  const audited = await world.operate(`/charges/audit-log?subjectId=${id}`);
  expect(audited.data).toMatchObject([{ action: 'dead_letter.replay', reason: 'Corrigido.' }]);
});

test('what operators have changed is not for merchants', async () => {
  for (const path of ['audit-log', 'audit-log/verify', 'dead-letters', `dead-letters/${newId()}`]) {
    const headers = merchantHeader(newTenant());
    expect(await world.client.send(`/v1/admin/charges/${path}`, { method: 'GET', headers })).toMatchObject({
      status: 401,
    });
  }
});
