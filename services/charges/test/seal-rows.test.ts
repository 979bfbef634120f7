import { expect, test } from '@jest/globals';
import { runSealRows, worldOfFile } from '@plataforma/testing/world';
import { disputeOf } from './support/dispute.ts';
import { newTenant } from './support/identity.ts';
import { insiderOf } from './support/insider.ts';
import { startRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(() => startRefundWorld());
const insider = insiderOf(world);

const sealRows = () => runSealRows('charges', world.env);

test('the rows of an earlier release are refused until the command has sealed them', async () => {
  const tenant = newTenant('production');
  const [pending, paid] = [await world.client.newCharge(tenant), await world.paidCharge()];
  const disputed = await world.paidCharge();
  const { id } = disputeOf(await world.dispute(disputed.id));
  for (const table of ['charges', 'disputes', 'merchants'])
    await insider.query(`UPDATE ${table} SET seal = NULL`);
  const answers = async () => [
    await world.client.cancel(tenant, pending.id),
    await paid.refund(),
    await world.operate(`/disputes/${id}/resolve`, { outcome: 'MERCHANT', resolution: 'Entrega comprovada' }),
  ];
  expect((await answers()).map(({ status }) => status)).toEqual([409, 409, 409]);

  expect(await sealRows()).toMatchObject({
    charges: 3,
    disputes: 1,
    refunds: 0,
    payment_links: 0,
    checkouts: 0,
  });

  expect((await answers()).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await sealRows()).toMatchObject({ charges: 0, disputes: 0, refunds: 0 });
});
