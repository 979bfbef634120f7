import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { headersFor, operatorHeader } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';
import { pending } from './support/states.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const look = (path: string, headers = operatorHeader(newId(), 'SUPPORT')) =>
  world.client.send(`/v1/admin/withdrawals/${path}`, { method: 'GET', headers });

test('what operators have changed is listed, and the list vouches for itself', async () => {
  const operatorId = newId();
  const { id } = await pending(world);
  await world.client.send(`/v1/admin/withdrawals/${id}/reject`, {
    method: 'POST',
    headers: operatorHeader(operatorId),
    body: { reason: 'Não confere.' },
  });

  const listed = await look(`audit-log?operatorId=${operatorId}&subjectId=${id}`);
  const verified = await look('audit-log/verify');

  expect(listed.data).toMatchObject([{ action: 'withdrawal.reject', reason: 'Não confere.' }]);
  expect(verified.data).toMatchObject({ isIntact: true, rows: 1, next: null });
});

test('what operators have changed is not for merchants', async () => {
  for (const path of ['audit-log', 'audit-log/verify']) {
    expect(await look(path, headersFor(world.newMerchant()))).toMatchObject({ status: 401 });
  }
});
