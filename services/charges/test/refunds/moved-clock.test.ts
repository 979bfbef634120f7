import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import { sharedRefundWorld } from '../support/refund-world.ts';
import { comesTo } from '../support/unmatched.ts';

const DAY_MS = 86_400_000;
const READ = `
  SELECT ended_at - now() > interval '29 days' AS "isDatedAhead", is_watched AS "isWatched",
    next_check_at > now() + interval '10 minutes' AS "isLookedAt"
  FROM refunds WHERE charge_id = $1`;
const DAY_PASSES = "UPDATE refunds SET ended_at = ended_at - interval '1 day' WHERE charge_id = $1";

const world = worldOfFile(sharedRefundWorld);

/** Returns a merchant whose sandbox clock is 30 days ahead. */
async function moved(environment: Tenant['environment'] = 'sandbox'): Promise<Tenant> {
  const tenant = { ...newTenant(), environment };
  world.gateway.describe(tenant.merchantId, { sandboxAheadMs: 30 * DAY_MS });
  // Create a charge, so that the service asks the gateway for the merchant and stores the merchant's clock.
  await world.client.newCharge(tenant);
  return tenant;
}

const dayOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const daysAhead = (time: string) => Math.round((Date.parse(time) - Date.now()) / DAY_MS) + 0;
async function lifeOf(tenant: Tenant, id: string) {
  const { data } = await world.call(tenant, `/v1/charges/${id}/timeline`);
  const { steps } = api.readChargeTimeline.data.parse(data);
  return { reported: steps.map(({ what }) => what), days: new Set(steps.map(({ at }) => daysAhead(at))) };
}

test('a failed refund in a moved sandbox is watched one real day', async () => {
  const charge = await world.paidCharge({}, { tenant: await moved() });
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

describe('a sandbox with a moved clock', () => {
  test('dates the steps of a refund by its clock', async () => {
    const tenant = await moved();
    const { id } = await world.client.newCharge(tenant);
    const { data } = await world.client.payInSandbox(tenant, id);
    const pix = api.paySandboxCharge.data.parse(data).payments[0]?.endToEndId ?? '';
    world.provider.book.returns.willBe(pix, 'EM_PROCESSAMENTO');
    await world.call(tenant, `/v1/charges/${id}/refund`, { amount: 900 });
    await eventually(async () => expect((await lifeOf(tenant, id)).reported).toContain('refund_accepted'));
    world.provider.book.returns.end(pix, 'DEVOLVIDO');

    await eventually(async () =>
      expect(await lifeOf(tenant, id)).toEqual({
        reported: ['created', 'paid', 'refund_requested', 'refund_accepted', 'refunded'],
        days: new Set([30]),
      }),
    );
  });

  test('dates and lists unexpected payments by its clock', async () => {
    const tenant = await moved();
    const paid = await world.client.newCharge(tenant);
    await world.client.payInSandbox(tenant, paid.id, { amount: 2499 });
    await world.client.payInSandbox(tenant, paid.id, { times: 2 });
    const late = await world.client.newCharge(tenant);
    await world.client.payInSandbox(tenant, late.id, { late: true });
    const causes = async (query: string) => {
      const { data } = await world.call(tenant, `/v1/unexpected-payments?status=RETURNED&${query}`);
      return Object(data).map(({ cause }: { cause: string }) => cause);
    };

    await eventually(async () =>
      expect(await causes(`startDate=${dayOf(28)}`)).toEqual(['LATE', 'DUPLICATE', 'WRONG_AMOUNT']),
    );

    expect(await causes(`endDate=${dayOf(2)}`)).toEqual([]);
    for (const { id } of [paid, late]) {
      const { reported, days } = await lifeOf(tenant, id);
      expect(reported[0]).toBe('created');
      expect(reported).toContain('unexpected_payment_received');
      expect(days).toEqual(new Set([30]));
    }
  });

  test('does not change the time of production', async () => {
    const charge = await world.paidCharge({}, { tenant: await moved('production') });
    const [second] = world.provider.book.pay(charge.txid, { insists: true });
    await world.client.notify(charge.txid);
    await comesTo(world, second?.endToEndId ?? '', 'RETURNED');

    expect((await lifeOf(charge.tenant, charge.id)).days).toEqual(new Set([0]));
    const { data } = await world.call(charge.tenant, `/v1/unexpected-payments?startDate=${dayOf(2)}`);
    expect(data).toEqual([]);
  });
});
