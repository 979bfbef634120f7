import { beforeAll, describe, expect, test } from '@jest/globals';
import { bankDayOf, later, type Tenant } from '@plataforma/kernel';
import { dueByClock } from '@plataforma/service';
import { eventually, merchantUpdated } from '@plataforma/testing';
import { beforeFile, startEmitter, worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { serviceHeader } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const gateway = beforeFile(() => startEmitter(world.brokerUrl));
beforeAll(async () => {
  world.stopFirst(gateway);
});

const HOUR_MS = 3_600_000;
const DAY_PASSES = "UPDATE withdrawals SET ended_at = ended_at - interval '1 day' WHERE id = $1";
const traits = { destinationCooldownHours: 24, autoApproveLimit: 1_000_000, dailyWithdrawalLimit: 3_000 };

const cautious = (environment: Tenant['environment'] = 'sandbox') => world.newMerchant(traits, environment);

async function dueOf(merchantId: string) {
  const path = `/internal/sandbox-clock?merchantId=${merchantId}`;
  const { data } = await world.client.send(path, { method: 'GET', headers: serviceHeader('gateway') });
  return dueByClock.parse(data);
}

async function move({ merchantId }: Tenant, hours: number): Promise<void> {
  const aheadMs = hours * HOUR_MS;
  await gateway.announce(merchantUpdated(merchantId, { ...traits, sandboxAheadMs: aheadMs, version: hours }));
  await eventually(async () => expect(await dueOf(merchantId)).toMatchObject({ aheadMs }));
}

const hoursAhead = (time: unknown) =>
  time instanceof Date ? Math.round((time.getTime() - Date.now()) / HOUR_MS) + 0 : time;
const becomes = (id: string, status: string) =>
  eventually(async () => expect(await world.rowOf(id)).toMatchObject({ status }));

describe('a sandbox', () => {
  test('has no cool-down before its clock is first moved', async () => {
    const { id } = await world.client.newWithdrawal(cautious(), { amount: 1_000 });

    expect(await world.rowOf(id)).toMatchObject({ payable_from: null });
  });

  test('with a moved clock has cool-downs by that clock', async () => {
    const merchant = cautious();
    await move(merchant, 2);

    const { id } = await world.client.newWithdrawal(merchant, { amount: 1_000 });
    const row = await world.rowOf(id);
    expect([hoursAhead(row?.created_at), hoursAhead(row?.payable_from)]).toEqual([2, 26]);
    // The due time is a real time, because the scheduler does not use the sandbox clock. The sandbox clock is
    // two hours ahead.
    expect(hoursAhead(row?.next_check_at)).toBe(24);
    await move(merchant, 20);
    expect(await world.rowOf(id)).toMatchObject({ status: 'PENDING' });

    await move(merchant, 27);

    await becomes(id, 'COMPLETED');
    expect(hoursAhead((await world.rowOf(id))?.ended_at)).toBe(27);
    expect(await dueOf(merchant.merchantId)).toMatchObject({ due: 0 });
  });

  test('watches a failed payout for a day of real time', async () => {
    const merchant = cautious();
    await move(merchant, 1_000);
    world.bank.paysAtOnce(false);
    const { id } = await world.client.newWithdrawal(merchant, { amount: 1_000 });
    await move(merchant, 1_025);
    await eventually(() => world.bank.end(id, 'NAO_REALIZADO', 'AC03'));
    await becomes(id, 'FAILED');
    expect(hoursAhead((await world.rowOf(id))?.ended_at)).toBe(1_025);
    const nextCheckAt = async () => (await world.rowOf(id))?.next_check_at;

    await world.makeDue(id);
    await eventually(async () => expect(Number(await nextCheckAt())).toBeGreaterThan(Date.now() + 600_000));

    await world.database.query(DAY_PASSES, [id]);
    await world.makeDue(id);
    await eventually(async () => expect(await nextCheckAt()).toBeNull());
    world.bank.paysAtOnce(true);
  });

  test('counts the daily limit by its own days', async () => {
    const merchant = cautious();
    await move(merchant, 1);
    await world.client.newWithdrawal(merchant, { amount: 3_000 });
    expect(await world.client.create(merchant, newOrder({ amount: 1_000 }))).toMatchObject({
      error: { code: 'WITHDRAWAL_LIMIT_REACHED' },
    });

    await move(merchant, 25);

    await world.client.newWithdrawal(merchant, { amount: 3_000 });
    const { day, until } = bankDayOf(later(new Date(), 25 * HOUR_MS));
    const path = `/internal/ordered-today?merchantId=${merchant.merchantId}`;
    expect(await world.client.send(path, { method: 'GET', headers: serviceHeader('gateway') })).toMatchObject(
      {
        data: {
          ...{ production: 0, day: bankDayOf(new Date()).day },
          ...{ sandbox: 3_000, sandboxDay: { day, until: until.toISOString() } },
        },
      },
    );
  });

  test('dates the wait for a provider by its own clock', async () => {
    const merchant = cautious();
    await move(merchant, 1_000);
    world.bank.paysAtOnce(false);
    const { id, createdAt } = await world.client.newWithdrawal(merchant, { amount: 1_000 });
    await move(merchant, 1_025);
    await becomes(id, 'PROCESSING');
    world.bank.paysAtOnce(true);

    const { waitingFor } = await world.client.withdrawal(merchant, id);

    expect(waitingFor).toMatchObject({ what: 'provider', until: null });
    expect(hoursAhead(new Date(waitingFor?.since ?? ''))).toBe(1_025);
    const events = await world.eventsOf(id);
    const { data } = events.find(({ type }) => type === 'withdrawal.processing') ?? {};
    expect(data).toMatchObject({ startedAt: waitingFor?.since });
    expect(Date.parse(waitingFor?.since ?? '')).toBeGreaterThan(Date.parse(createdAt));
  });
});

test('production keeps real time when the sandbox clock moves', async () => {
  const merchant = cautious('production');
  await move(merchant, 1_000);

  const { id } = await world.client.newWithdrawal(merchant, { amount: 1_000 });

  const row = await world.rowOf(id);
  expect([hoursAhead(row?.created_at), hoursAhead(row?.payable_from)]).toEqual([0, 24]);
  expect(row).toMatchObject({ status: 'PENDING', next_check_at: row?.payable_from });
});
