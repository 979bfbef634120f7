import { beforeAll, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { merchantHeader } from '../support/identity.ts';
import { processOfFile } from '../support/service-process.ts';

const world = worldOfFile(startCardWorld);
const service = processOfFile(world, 'warn');
beforeAll(() => world.first.stop());

test('the last unsuccessful order to move the money of a dispute is logged', async () => {
  const tenant = world.newShop();
  const { id } = await service.client.newCharge(tenant, { amount: 2_500 });
  await service.client.simulate(tenant, id);
  const post = (path: string, body: object) =>
    service.client.send(path, { method: 'POST', headers: merchantHeader(tenant), body });
  const { data } = await post(`/v1/sandbox/charges/${id}/dispute`, {});
  const disputeId = api.disputeSandboxCharge.data.parse(data).id;
  world.provider.always('take-back', () => ({ status: 404, body: {} }));
  await post(`/v1/sandbox/disputes/${disputeId}/resolve`, { outcome: 'CUSTOMER' });
  await world.database.query('UPDATE disputes SET undo_at = now(), undo_attempts = 19 WHERE id = $1', [
    disputeId,
  ]);

  await eventually(async () =>
    expect(await world.database.query('SELECT undo_at FROM disputes WHERE id = $1', [disputeId])).toEqual([
      { undo_at: null },
    ]),
  );
  const lines = service.output().split('\n');
  expect(lines.filter((line) => line.includes('never moved the money'))).toEqual([
    expect.stringContaining(disputeId),
  ]);
});
