import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually, holding, rounds } from '@plataforma/testing';
import { auditOf, pending, pendingTed, states } from '../operators/support/states.ts';
import { disagreements, type Followed } from '../payout/support/payouts.ts';
import { type Answered, type Client, newOrder } from '../support/client.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let other: Client;

beforeAll(async () => {
  world = await startWorld({ settings: { FOUR_EYES_THRESHOLD: '50000' } });
  other = (await world.startReplica()).client;
});
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

const cancel = ({ tenant, id }: Pick<Followed, 'tenant' | 'id'>, client = world.client, options = {}) =>
  client.call(tenant, `/v1/withdrawals/${id}`, { method: 'DELETE', ...options });
const codesOf = (answers: readonly (Answered | undefined)[]) =>
  answers.map((answer) => answer?.error?.code ?? answer?.status);

describe('its merchant cancels a withdrawal', () => {
  test('while it is PENDING, and is told of it', async () => {
    const withdrawal = await pending(world);

    const { status, data } = await cancel(withdrawal);

    const end = { status: 'REJECTED', rejectedReason: 'cancelled by the merchant', waitingFor: null };
    expect([status, data]).toMatchObject([200, { id: withdrawal.id, ...end }]);
    expect(await withdrawal.now()).toEqual(data);
    expect((await withdrawal.now()).rejectedAt).not.toBeNull();
    expect(await withdrawal.told()).toEqual(['withdrawal.rejected']);
    expect(await auditOf(world, withdrawal)).toEqual([]);
    expect(world.bank.payoutOf(withdrawal.id)).toBeUndefined();
  });

  test('to a bank account, one that two must approve and one has, and one that rests for a new payee', async () => {
    const first = await pending(world, { amount: 50_001 });
    await world.client.approve(first.id, newId());
    const resting = await pending(world, {}, { autoApproveLimit: 99_999, destinationCooldownHours: 24 });

    for (const withdrawal of [await pendingTed(world), first, resting]) {
      expect((await cancel(withdrawal)).status).toBe(200);
      expect(await withdrawal.told()).toEqual(['withdrawal.rejected']);
    }
  });

  test('though its account is suspended since', async () => {
    const withdrawal = await pending(world);
    world.gateway.describe(withdrawal.tenant.merchantId, { status: 'SUSPENDED', version: 2 });

    expect((await cancel(withdrawal)).status).toBe(200);
  });

  test.each(Object.entries(states).filter(([state]) => state !== 'PENDING'))(
    'no more when it is %s',
    async (_state, reach) => {
      const withdrawal = await reach(world);
      const before = await withdrawal.now();

      const { status, error } = await cancel(withdrawal);

      expect([status, error?.code]).toEqual([409, 'INVALID_STATE']);
      expect(await withdrawal.now()).toMatchObject({ status: before.status });
    },
  );

  test('not before it is known whether its money was taken; then it can', async () => {
    const tenant = world.newMerchant({}, 'production');
    const held = holding();
    world.ledger.nextFor(tenant.merchantId, held.behaviour);
    const creating = world.client.create(tenant, newOrder());
    await held.arrived;
    const [row] = await world.database.query<{ id: string }>(
      'SELECT id FROM withdrawals WHERE merchant_id = $1',
      [tenant.merchantId],
    );
    const id = row?.id ?? '';

    expect(codesOf([await cancel({ tenant, id })])).toEqual(['NOT_FOUND']);
    held.release();
    expect((await creating).status).toBe(201);
    expect((await cancel({ tenant, id })).status).toBe(200);
  });
});

describe('at once with', () => {
  test('an approval one of both wins', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const withdrawal = await pending(world);

      const [cancelled, approved] = await Promise.all([
        cancel(withdrawal, round % 2 === 0 ? other : world.client),
        world.client.approve(withdrawal.id, newId()),
      ]);

      expect(codesOf([cancelled, approved]).sort()).toEqual([200, 'INVALID_STATE']);
      await withdrawal.becomes(cancelled.status === 200 ? 'REJECTED' : 'COMPLETED');
      expect(await withdrawal.told()).toHaveLength(1);
    }
  });

  test('the clock’s approval one of both wins', async () => {
    const now = 'UPDATE withdrawals SET payable_from = now(), next_check_at = now() WHERE id = $1';
    for (let round = 0; round < rounds(20); round += 1) {
      const withdrawal = await pending(world, {}, { autoApproveLimit: 99_999, destinationCooldownHours: 24 });

      const [, cancelled] = await Promise.all([
        world.database.query(now, [withdrawal.id]),
        cancel(withdrawal, other),
      ]);

      expect([200, 409]).toContain(cancelled.status);
      await withdrawal.becomes(cancelled.status === 200 ? 'REJECTED' : 'COMPLETED');
      expect(await withdrawal.told()).toHaveLength(1);
    }
  });

  test('another cancellation, and an operator’s rejection, one of them wins and one event is told', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const withdrawal = await pending(world);

      const answers = await Promise.all([
        cancel(withdrawal),
        cancel(withdrawal, other),
        other.reject(withdrawal.id, newId()),
      ]);

      expect(codesOf(answers).sort()).toEqual([200, 'INVALID_STATE', 'INVALID_STATE']);
      expect(await withdrawal.told()).toEqual(['withdrawal.rejected']);
    }
  });

  test('the same order sent again it is answered as it ended', async () => {
    const withdrawal = await pending(world, { externalId: 'folha-1' });
    const order = newOrder({ pixKey: withdrawal.pixKey, externalId: 'folha-1' });

    expect((await cancel(withdrawal)).status).toBe(200);
    const again = await world.client.create(withdrawal.tenant, order);

    expect([again.status, again.data]).toMatchObject([200, { id: withdrawal.id, status: 'REJECTED' }]);
    await eventually(async () => expect(await withdrawal.told()).toEqual(['withdrawal.rejected']));
  });
});
