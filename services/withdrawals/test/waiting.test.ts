import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { NO_BROKER } from '@plataforma/testing/world';
import { pending, pendingTed, states } from './operators/support/states.ts';
import { agreeingWorld, type Followed, follow } from './payout/support/payouts.ts';
import { startWorld } from './support/world.ts';

const world = agreeingWorld(() =>
  startWorld({ brokerUrl: NO_BROKER, settings: { FOUR_EYES_THRESHOLD: '50000' } }),
);

const waits = async (withdrawal: Followed) => (await withdrawal.now()).waitingFor;
const since = ({ createdAt }: Followed) => createdAt;

describe('the wait of a withdrawal', () => {
  test('names an operator in responses and lists', async () => {
    const withdrawal = await pending(world);

    const wait = {
      what: 'approval',
      since: since(withdrawal),
      until: null,
      who: 'one_operator',
      reason: null,
    };
    expect([withdrawal.waitingFor, await waits(withdrawal)]).toEqual([wait, wait]);
    expect(await world.client.list(withdrawal.tenant)).toMatchObject({ data: [{ waitingFor: wait }] });
    const { merchantId } = withdrawal.tenant;
    expect(await world.client.asOperator(`/withdrawals?merchantId=${merchantId}`)).toMatchObject({
      data: [{ waitingFor: wait }],
    });
  });

  test('names two operators, then the second one', async () => {
    const withdrawal = await pending(world, { amount: 50_001 });

    expect(await waits(withdrawal)).toMatchObject({ what: 'approval', who: 'two_operators' });
    const approved = await world.client.approve(withdrawal.id, newId());

    const wait = {
      what: 'approval',
      since: since(withdrawal),
      until: null,
      who: 'second_operator',
      reason: null,
    };
    expect(await waits(withdrawal)).toEqual(wait);
    expect(approved.data).toMatchObject({ waitingFor: wait });
  });

  test('names an operator, then the cool-down of the destination', async () => {
    const withdrawal = await pending(world, {}, { destinationCooldownHours: 24 });
    expect(await waits(withdrawal)).toMatchObject({ what: 'approval' });

    await world.client.approve(withdrawal.id, newId());

    const until = new Date(new Date(withdrawal.createdAt).getTime() + 24 * 3_600_000).toISOString();
    expect(await waits(withdrawal)).toEqual({
      ...{ what: 'cooldown', since: since(withdrawal), until, who: null, reason: null },
    });
  });

  test.each(['SUSPENDED', 'REJECTED'] as const)(
    'names an account that is %s until that ends',
    async (status) => {
      const withdrawal = await pending(world);
      await world.setMerchantStatus(withdrawal.tenant, status);

      expect(await waits(withdrawal)).toEqual({
        ...{ what: 'account', since: since(withdrawal), until: null, who: 'platform', reason: null },
      });
      await world.setMerchantStatus(withdrawal.tenant, 'APPROVED');
      expect(await waits(withdrawal)).toMatchObject({ what: 'approval' });
    },
  );

  test('names the bank’s answer', async () => {
    const withdrawal = await states.PROCESSING?.(world);
    if (!withdrawal) throw new Error('there is no such state');

    const row = await world.rowOf(withdrawal.id);
    expect(await waits(withdrawal)).toEqual({
      ...{ what: 'provider', until: null, who: 'provider', reason: null },
      since: row?.started_at instanceof Date ? row.started_at.toISOString() : null,
    });
  });

  test('names an operator, then a manual bank transfer', async () => {
    const withdrawal = await pendingTed(world);
    expect(await waits(withdrawal)).toMatchObject({ what: 'approval', who: 'one_operator' });

    await world.client.approve(withdrawal.id, newId());
    await withdrawal.becomes('PROCESSING');

    expect(await waits(withdrawal)).toMatchObject({ what: 'transfer', until: null, who: 'one_operator' });
  });

  test('names a stop of payouts', async () => {
    const tenant = world.newMerchant();
    const stop = await world.stopControls.stop({ what: 'payouts', merchantId: tenant.merchantId });
    const created = await world.client.newWithdrawal(tenant);

    const wait = { what: 'stop', since: created.createdAt, until: null, who: 'platform' };
    await eventually(async () =>
      expect(await world.client.withdrawal(tenant, created.id)).toMatchObject({
        ...{ status: 'APPROVED', waitingFor: wait },
      }),
    );
    await world.stopControls.startAgain(stop);
  });

  test('is empty after its end', async () => {
    const done = await follow(world);
    await done.becomes('COMPLETED');
    const rejected = await pending(world);
    await world.client.reject(rejected.id, newId());

    expect([await waits(done), await waits(rejected)]).toEqual([null, null]);
  });
});
