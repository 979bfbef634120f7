import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { messageOf, paid } from './support/emitter.ts';
import { merchantHeader, newTenant, operatorHeader } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ask = (path: string, method = 'GET', headers = operatorHeader({ role: 'FINANCE' })) =>
  world.client(`/v1/admin/webhooks/${path}`, { method, headers });

const LETTER = `
  INSERT INTO dead_letters (id, fingerprint, event_id, type, signature, body, reason, died_at)
  VALUES ($1, $2, $3, $4, 'valid', $5, 'rejected', now())`;

test('an event that could not be applied is listed, replayed once, and then on record', async () => {
  const id = newId();
  const shop = await world.startMerchant();
  const tenant = newTenant();
  await world.configure(tenant, { url: shop.url });
  const announcement = paid(tenant);
  const body = messageOf(announcement);
  const { id: eventId } = JSON.parse(body);
  await world.database.query(LETTER, [id, eventId, eventId, 'charge.paid', Buffer.from(body)]);

  const listed = await ask('dead-letters?replayed=false');
  const replayed = await ask(`dead-letters/${id}/replay`, 'POST');
  const again = await ask(`dead-letters/${id}/replay`, 'POST');

  expect(listed.data).toMatchObject([{ id, eventId, type: 'charge.paid' }]);
  expect(replayed.data).toMatchObject({ id, outcome: 'APPLIED' });
  expect([again.status, again.error?.code]).toEqual([409, 'INVALID_STATE']);
  await shop.waitFor(({ body: sent }) => sent.includes(announcement.data.id));
  expect((await ask(`audit-log?subjectId=${id}`)).data).toMatchObject([{ action: 'dead_letter.replay' }]);
  expect((await ask('audit-log/verify')).data).toMatchObject({ isIntact: true, rows: 1, next: null });
});

test('what operators see of what went wrong is not for merchants', async () => {
  for (const path of ['audit-log', 'audit-log/verify', 'dead-letters', `dead-letters/${newId()}`]) {
    expect(await ask(path, 'GET', merchantHeader(newTenant()))).toMatchObject({ status: 401 });
  }
});
