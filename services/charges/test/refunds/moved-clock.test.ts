import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { newTenant } from '../support/identity.ts';
import { type RefundWorld, startRefundWorld } from '../support/refund-world.ts';

const DAY_MS = 86_400_000;
const READ = `
  SELECT ended_at - now() > interval '29 days' AS "isDatedAhead", is_watched AS "isWatched",
    next_check_at > now() + interval '10 minutes' AS "isLookedAt"
  FROM refunds WHERE charge_id = $1`;
const DAY_PASSES = "UPDATE refunds SET ended_at = ended_at - interval '1 day' WHERE charge_id = $1";

let world: RefundWorld;

beforeAll(async () => {
  world = await startRefundWorld();
});
afterAll(() => world.stop());

test('a refund that failed in a sandbox whose clock was moved is watched for a day of the real time', async () => {
  const tenant = newTenant();
  world.gateway.describe(tenant.merchantId, { sandboxAheadMs: 30 * DAY_MS });
  // With the first charge the service hears of the clock.
  await world.client.newCharge(tenant);
  const charge = await world.paidCharge({}, { tenant });
  const { returns } = world.provider.book;
  const row = async () => (await world.database.query(READ, [charge.id]))[0];
  returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
  await charge.refund({ amount: 900 });
  returns.end(charge.pix, 'NAO_REALIZADO');
  await charge.becomes('REFUSED');

  await charge.handOver();
  await eventually(async () =>
    expect(await row()).toEqual({ isDatedAhead: true, isWatched: true, isLookedAt: true }),
  );

  await world.database.query(DAY_PASSES, [charge.id]);
  await charge.handOver();
  await eventually(async () => expect(await row()).toMatchObject({ isWatched: false }));
});
