import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import { operatorAs, snapshotOf } from './support/operators.ts';
import { startWorld } from './support/world.ts';

const withdrawals = { DEFAULT_WITHDRAWAL_FEE: '250', DEFAULT_WITHDRAWAL_FEE_MODE: 'BALANCE' };

const world = worldOfFile(() => startWorld({ settings: withdrawals }));

describe('a new merchant', () => {
  test('has the configured withdrawal fee and no daily limit', async () => {
    const { id } = await world.newMerchant();
    const { headers } = await operatorAs(world, 'SUPPORT');

    const listed = await world.call('/v1/admin/merchants', { headers });

    const settings = {
      withdrawalFee: 250,
      withdrawalFeeMode: 'BALANCE',
      autoApproveLimit: 0,
      dailyWithdrawalLimit: null,
      destinationCooldownHours: 0,
    };
    expect(await snapshotOf(world, id)).toMatchObject({ id, ...settings });
    expect(listed.json.data).toMatchObject([{ id, settings }]);
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
])('the database refuses a merchant with %s', async (change) => {
  const { id } = await world.newMerchant();

  const written = world.database.query(`UPDATE organizations SET ${change} WHERE id = $1`, [id]);

  await expect(written).rejects.toMatchObject({ code: expect.stringMatching(/^235(14|02)$/) });
});
