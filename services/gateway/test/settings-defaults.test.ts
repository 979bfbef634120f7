import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import { auditOf, changeSettings, operatorAs, snapshotOf } from './support/operators.ts';
import { startWorld } from './support/world.ts';

const withdrawals = { DEFAULT_WITHDRAWAL_FEE: '250', DEFAULT_WITHDRAWAL_FEE_MODE: 'BALANCE' };

const world = worldOfFile(() => startWorld({ settings: withdrawals }));

const limitsOf = async (headers: Record<string, string>) =>
  api.getAccount.data.parse((await world.call('/v1/account', { headers })).json.data).limits;

describe('a new merchant', () => {
  test('has the configured withdrawal fee, and limits in production only', async () => {
    const { id, bearer } = await world.newMerchant();
    const { headers } = await operatorAs(world, 'SUPPORT');

    const listed = await world.call('/v1/admin/merchants', { headers });

    const settings = {
      withdrawalFee: 250,
      withdrawalFeeMode: 'BALANCE',
      autoApproveLimit: 0,
      newPayeesPerDay: 10,
      dailyWithdrawalLimit: 5_000_000,
      destinationCooldownHours: 24,
    };
    const sandbox = { dailyWithdrawalLimit: null, destinationCooldownHours: 0 };
    expect(await snapshotOf(world, id)).toMatchObject({ id, ...settings, sandboxLimits: sandbox });
    expect(listed.json.data).toMatchObject([{ id, settings }]);
    expect(await limitsOf(bearer)).toMatchObject({
      ...{ autoApproveLimit: 0, newPayeesPerDay: 10 },
      ...{ dailyWithdrawalLimit: 5_000_000, destinationCooldownHours: 24, sandbox },
    });
  });

  test('has the same limit in both environments once an operator sets it', async () => {
    const { id, bearer } = await world.newMerchant();
    const { headers } = await operatorAs(world, 'ADMIN');

    await changeSettings(world, id, { body: { destinationCooldownHours: 24 }, headers });
    await changeSettings(world, id, { body: { newPayeesPerDay: null }, headers });

    const sandbox = { dailyWithdrawalLimit: null, destinationCooldownHours: 24 };
    expect(await snapshotOf(world, id)).toMatchObject({ version: 3, sandboxLimits: sandbox });
    expect(await limitsOf(bearer)).toMatchObject({ newPayeesPerDay: null, sandbox });
    expect(await auditOf(world, id)).toMatchObject([
      { before: { sandboxLimits: { destinationCooldownHours: 0 } }, after: { sandboxLimits: {} } },
      { before: { newPayeesPerDay: 10 }, after: { newPayeesPerDay: null } },
    ]);
  });

  test('of the previous release keeps its limits', async () => {
    const { id, bearer } = await world.newMerchant();
    const { headers } = await operatorAs(world, 'ADMIN');
    // The row as a replica of release 0.6.0 inserts it.
    await world.database.query(
      `UPDATE organizations SET daily_withdrawal_limit_cents = NULL, destination_cooldown_hours = 0,
        new_payees_per_day = DEFAULT, sandbox_limits = DEFAULT WHERE id = $1`,
      [id],
    );

    await changeSettings(world, id, { body: { withdrawalFee: 1 }, headers });

    const limits = { dailyWithdrawalLimit: null, destinationCooldownHours: 0 };
    expect(await limitsOf(bearer)).toMatchObject({ ...limits, newPayeesPerDay: null, sandbox: limits });
    expect(await snapshotOf(world, id)).toMatchObject({ ...limits, newPayeesPerDay: null });
  });

  test('cannot exist with invalid defaults: the gateway does not start', async () => {
    const env = { ...world.env, DEFAULT_WITHDRAWAL_FEE: '-1', DEFAULT_WITHDRAWAL_FEE_MODE: 'NET' };

    const start = startGateway(env);

    await expect(start).rejects.toThrow(/DEFAULT_WITHDRAWAL_FEE: .*DEFAULT_WITHDRAWAL_FEE_MODE: /s);
  });
});

test.each([
  'withdrawal_fee_cents = -1',
  "withdrawal_fee_mode = 'NET'",
  'withdrawal_fee_mode = NULL',
  'auto_approve_limit_cents = -1',
  'daily_withdrawal_limit_cents = -1',
  'destination_cooldown_hours = -1',
  'destination_cooldown_hours = 721',
  'new_payees_per_day = -1',
])('the database refuses a merchant with %s', async (change) => {
  const { id } = await world.newMerchant();

  const written = world.database.query(`UPDATE organizations SET ${change} WHERE id = $1`, [id]);

  await expect(written).rejects.toMatchObject({ code: expect.stringMatching(/^235(14|02)$/) });
});
