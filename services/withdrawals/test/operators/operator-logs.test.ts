import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { merchantHeader, operatorHeader } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';
import { pending } from './support/states.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const look = (path: string, headers = operatorHeader({ role: 'SUPPORT' })) =>
  world.client.send(`/v1/admin/withdrawals/${path}`, { method: 'GET', headers });

test('what operators have changed is listed, and the list vouches for itself', async () => {
  const operatorId = newId();
  const { id } = await pending(world);
  await world.client.send(`/v1/admin/withdrawals/${id}/reject`, {
    method: 'POST',
    headers: operatorHeader({ operatorId }),
    body: { reason: 'Não confere.' },
  });

  const listed = await look(`audit-log?operatorId=${operatorId}&subjectId=${id}`);
  const verified = await look('audit-log/verify');

  expect(listed.data).toMatchObject([{ action: 'withdrawal.reject', reason: 'Não confere.' }]);
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
  const replay = () =>
    world.client.send(`/v1/admin/withdrawals/dead-letters/${id}/replay`, {
      method: 'POST',
      headers: operatorHeader(),
      body: { reason: 'Corrigido.' },
    });

  const listed = await look('dead-letters?replayed=false');
  const inspected = await look(`dead-letters/${id}`);
  const replayed = await replay();
  const again = await replay();

  expect(listed.data).toMatchObject([{ id, eventId: event.id, type: 'merchant.updated' }]);
  expect(inspected.data).toMatchObject({ id, body: expect.stringContaining('merchant.updated') });
  expect(replayed.data).toMatchObject({ id, outcome: 'APPLIED' });
  expect([again.status, again.error?.code]).toEqual([409, 'INVALID_STATE']);
  const kept = await world.database.query('SELECT version FROM merchants WHERE id = $1', [merchant.id]);
  expect(kept).toEqual([{ version: 1 }]);
  const audited = await look(`audit-log?subjectId=${id}`);
  expect(audited.data).toMatchObject([{ action: 'dead_letter.replay', reason: 'Corrigido.' }]);
});

test('what operators have changed is not for merchants', async () => {
  for (const path of ['audit-log', 'audit-log/verify', 'dead-letters', `dead-letters/${newId()}`]) {
    expect(await look(path, merchantHeader(world.newMerchant()))).toMatchObject({ status: 401 });
  }
});
