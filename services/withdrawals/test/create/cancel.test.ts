import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { auditOf, pending, pendingTed, states } from '../operators/support/states.ts';
import { agreeingWorld, type Followed } from '../payout/support/payouts.ts';
import { newOrder } from '../support/client.ts';
import { startWorld } from '../support/world.ts';

const world = agreeingWorld(() => startWorld({ settings: { FOUR_EYES_THRESHOLD: '50000' } }));

const cancel = ({ tenant, id }: Pick<Followed, 'tenant' | 'id'>) => world.client.cancel(tenant, id);

describe('the cancellation of a withdrawal by its merchant', () => {
  test('ends a PENDING withdrawal and notifies the merchant', async () => {
    const withdrawal = await pending(world);

    const { status, data } = await cancel(withdrawal);

    const end = { status: 'REJECTED', rejectedReason: 'cancelled by the merchant', waitingFor: null };
    expect([status, data]).toMatchObject([200, { id: withdrawal.id, ...end }]);
    expect(await withdrawal.now()).toEqual(data);
    expect((await withdrawal.now()).rejectedAt).not.toBeNull();
    expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.rejected']);
    expect(await auditOf(world, withdrawal)).toEqual([]);
    expect(world.bank.payoutOf(withdrawal.id)).toBeUndefined();
  });

  test('ends a bank transfer, a half-approved and a delayed withdrawal', async () => {
    const first = await pending(world, { amount: 50_001 });
    await world.client.approve(first.id, newId());
    const resting = await pending(world, {}, { autoApproveLimit: 99_999, destinationCooldownHours: 24 });

    for (const withdrawal of [await pendingTed(world), first, resting]) {
      expect((await cancel(withdrawal)).status).toBe(200);
      expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.rejected']);
    }
  });

  test('works although the account is suspended meanwhile', async () => {
    const withdrawal = await pending(world);
    world.gateway.describe(withdrawal.tenant.merchantId, { status: 'SUSPENDED', version: 2 });

    expect((await cancel(withdrawal)).status).toBe(200);
  });

  test.each(Object.entries(states).filter(([state]) => state !== 'PENDING'))(
    'is refused when the withdrawal is %s',
    async (_state, reach) => {
      const withdrawal = await reach(world);
      const before = await withdrawal.now();

      const { status, error } = await cancel(withdrawal);

      expect([status, error?.code]).toEqual([409, 'INVALID_STATE']);
      expect(await withdrawal.now()).toMatchObject({ status: before.status });
    },
  );

  test('finds no withdrawal until its debit is confirmed', async () => {
    const tenant = world.newMerchant({}, 'production');
    const { creating, release } = await world.createBlocked(tenant);
    const [row] = await world.rowsOf(tenant);
    const id = row?.id ?? '';

    expect((await cancel({ tenant, id })).error?.code).toBe('NOT_FOUND');
    release();
    expect((await creating).status).toBe(201);
    expect((await cancel({ tenant, id })).status).toBe(200);
  });
});

test('an order repeated after cancellation gets the cancelled withdrawal', async () => {
  const withdrawal = await pending(world, { externalId: 'folha-1' });
  const order = newOrder({ pixKey: withdrawal.pixKey, externalId: 'folha-1' });

  expect((await cancel(withdrawal)).status).toBe(200);
  const again = await world.client.create(withdrawal.tenant, order);

  expect([again.status, again.data]).toMatchObject([200, { id: withdrawal.id, status: 'REJECTED' }]);
  await eventually(async () => expect(await withdrawal.announcedEnds()).toEqual(['withdrawal.rejected']));
});
