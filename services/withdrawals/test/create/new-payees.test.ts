import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { bankBody, newPixBody, saved } from '../support/destination-bodies.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

const HOUR_MS = 3_600_000;

describe('a new payee', () => {
  const cautious = (environment: Tenant['environment'] = 'production') =>
    world.newMerchant({ destinationCooldownHours: 24, autoApproveLimit: 1_000_000 }, environment);
  const ageOf = async (id: string) => {
    const row = await world.rowOf(id);
    const [from, createdAt] = [row?.payable_from, row?.created_at];
    return from instanceof Date && createdAt instanceof Date
      ? (from.getTime() - createdAt.getTime()) / HOUR_MS
      : null;
  };
  /** Moves the creation time of a withdrawal or destination back by this number of hours. */
  const makeOlder = (table: 'withdrawals' | 'destinations', id: string, hours: number) =>
    world.database.queryUnprepared(
      `UPDATE ${table} SET created_at = created_at - $2 * interval '1 hour' WHERE id = $1`,
      [id, hours],
    );

  test('is paid only after its cool-down', async () => {
    const merchant = cautious();
    const { id } = await world.client.newWithdrawal(merchant);
    const row = await world.rowOf(id);
    expect(await ageOf(id)).toBe(24);
    expect(row).toMatchObject({ status: 'PENDING', next_check_at: row?.payable_from });

    // Make the scheduler check before the cool-down ends. The scheduler must keep the due time.
    await world.makeDue(id);
    await eventually(async () =>
      expect(await world.rowOf(id)).toMatchObject({ checks: 1, next_check_at: row?.payable_from }),
    );
    expect(await world.rowOf(id)).toMatchObject({ status: 'PENDING' });
    expect(world.bank.payoutOf(id)).toBeUndefined();

    await world.makePayable(id);
    await eventually(async () => expect(await world.rowOf(id)).toMatchObject({ status: 'COMPLETED' }));
  });

  test('waits for its cool-down after approval and can be rejected', async () => {
    const merchant = world.newMerchant({ destinationCooldownHours: 24 }, 'production');
    const [first, second] = [
      await world.client.newWithdrawal(merchant),
      await world.client.newWithdrawal(merchant),
    ];
    const operatorId = newId();

    await world.client.approve(first.id, operatorId);
    await world.client.approve(second.id, operatorId);
    const again = await world.client.approve(first.id, newId());

    const row = await world.rowOf(first.id);
    expect(row).toMatchObject({
      status: 'PENDING',
      first_approver: operatorId,
      next_check_at: row?.payable_from,
    });
    expect(again).toMatchObject({ status: 409, error: { code: 'INVALID_STATE' } });
    expect(await world.client.reject(second.id, newId())).toMatchObject({ data: { status: 'REJECTED' } });
    await world.makePayable(first.id);
    await eventually(async () => expect(await world.rowOf(first.id)).toMatchObject({ status: 'COMPLETED' }));
  });

  test('stays new for the configured time after its first withdrawal', async () => {
    const merchant = cautious();
    const { pixKey } = newOrder();
    const first = await world.client.newWithdrawal(merchant, { pixKey });

    await makeOlder('withdrawals', first.id, 23);
    const early = await world.client.newWithdrawal(merchant, { pixKey });
    await makeOlder('withdrawals', first.id, 1.01);
    const late = await world.client.newWithdrawal(merchant, { pixKey });

    expect(await ageOf(early.id)).toBeCloseTo(1, 1);
    expect(await ageOf(late.id)).toBeNull();
  });

  test.each([
    ['a key', newPixBody],
    ['a bank account', () => bankBody],
  ])('stays new for the configured time after its saving: %s', async (_what, body) => {
    const merchant = cautious();
    const { id: destinationId } = await saved(world, merchant, body());

    const early = await world.client.newWithdrawal(merchant, { destinationId });
    await makeOlder('destinations', destinationId, 24.01);
    const late = await world.client.newWithdrawal(merchant, { destinationId });

    expect(await ageOf(early.id)).toBeCloseTo(24, 1);
    expect(await ageOf(late.id)).toBeNull();
  });

  test('has no cool-down with an old saved key, unless deleted', async () => {
    const merchant = cautious();
    const [remaining, deleted] = [newPixBody(), newPixBody()];
    const ids = [(await saved(world, merchant, remaining)).id, (await saved(world, merchant, deleted)).id];
    for (const id of ids) await makeOlder('destinations', id, 25);
    await world.call(merchant, `/v1/destinations/${ids[1]}`, { method: 'DELETE' });

    const byKept = await world.client.newWithdrawal(merchant, { pixKey: remaining.pixKey });
    const byDeleted = await world.client.newWithdrawal(merchant, { pixKey: deleted.pixKey });

    expect([await ageOf(byKept.id), await ageOf(byDeleted.id)]).toEqual([null, 24]);
  });

  test('stays new with others’ withdrawals or a refused own one', async () => {
    const merchant = cautious();
    const { pixKey } = newOrder();
    const [others, sandbox] = [cautious(), { ...merchant, environment: 'sandbox' } as const];
    for (const tenant of [others, sandbox]) {
      await makeOlder('withdrawals', (await world.client.newWithdrawal(tenant, { pixKey })).id, 25);
      await makeOlder('destinations', (await saved(world, tenant, newPixBody({ pixKey }))).id, 25);
    }
    world.ledger.setBalance(merchant.merchantId, 0);
    expect((await world.client.create(merchant, newOrder({ pixKey }))).status).toBe(422);
    await world.database.query(
      `UPDATE withdrawals SET created_at = now() - interval '25 hours' WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    world.ledger.setBalance(merchant.merchantId, 100_000);

    const { id } = await world.client.newWithdrawal(merchant, { pixKey });

    expect(await ageOf(id)).toBe(24);
  });

  test('stays new after an old rejected order', async () => {
    const merchant = world.newMerchant({ destinationCooldownHours: 24 }, 'production');
    const { pixKey } = newOrder();
    const rejected = await world.client.newWithdrawal(merchant, { pixKey });
    await world.client.reject(rejected.id, newId());
    await makeOlder('withdrawals', rejected.id, 25);

    const { id } = await world.client.newWithdrawal(merchant, { pixKey });

    expect(await ageOf(id)).toBe(24);
  });

  test('has no cool-down in the sandbox or without the setting', async () => {
    const sandbox = await world.client.newWithdrawal(cautious('sandbox'));
    const trusting = world.newMerchant({ autoApproveLimit: 1_000_000 }, 'production');
    const { id } = await world.client.newWithdrawal(trusting);

    expect([await ageOf(sandbox.id), await ageOf(id)]).toEqual([null, null]);
  });
});
