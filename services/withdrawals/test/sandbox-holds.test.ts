import { describe, expect, test } from '@jest/globals';
import { error500, eventually, honest } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { pendingTed } from './operators/support/states.ts';
import { type Followed, follow, followed } from './payout/support/payouts.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const play = ({ tenant, id }: Followed, step: string) =>
  world.call(tenant, `/v1/sandbox/withdrawals/${id}/${step}`, { method: 'POST', body: {} });

/** Creates a payout that the bank has accepted and not paid yet. */
async function underWay(): Promise<Followed> {
  world.bank.paysAtOnce(false);
  const withdrawal = await follow(world);
  await withdrawal.becomes('PROCESSING');
  await eventually(async () => expect((await withdrawal.now()).providerTxId).not.toBeNull());
  world.bank.paysAtOnce(true);
  return withdrawal;
}

describe('a sandbox withdrawal after `hold`', () => {
  test.each([
    ['complete', 'COMPLETED'],
    ['fail', 'FAILED'],
  ])('at its bank stays PROCESSING until `%s` makes it %s', async (step, status) => {
    const withdrawal = await underWay();

    const answer = await play(withdrawal, 'hold');
    await withdrawal.awaitRequests('find', world.bank.requestsFor(withdrawal.id, 'find').length + 1);
    const before = await withdrawal.now();
    const ended = await play(withdrawal, step);

    expect([answer.status, before.status, ended.status]).toEqual([200, 'PROCESSING', 200]);
    await withdrawal.becomes(status);
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toHaveLength(1);
  });

  test('before its first check stays PENDING until it is approved', async () => {
    const withdrawal = await underWay();
    await world.database.query(
      `UPDATE withdrawals SET status = 'PENDING', started_at = NULL, ordered_from = NULL, accepted_at = NULL,
         provider_tx_id = NULL, next_check_at = now() + interval '1 day' WHERE id = $1`,
      [withdrawal.id],
    );

    const answer = await play(withdrawal, 'hold');
    await world.makeDue(withdrawal.id);
    await (await follow(world)).becomes('COMPLETED');
    const before = await withdrawal.now();
    const approved = await play(withdrawal, 'approve');

    expect([answer.status, answer.data]).toMatchObject([
      200,
      { status: 'PENDING', waitingFor: { what: 'approval' } },
    ]);
    expect([before.status, approved.status]).toEqual(['PENDING', 200]);
    await withdrawal.becomes('PROCESSING');
  });

  test('twice has one effect, and none on a TED', async () => {
    const withdrawal = await underWay();
    const ted = await pendingTed(world);

    const answers = [await play(withdrawal, 'hold'), await play(withdrawal, 'hold'), await play(ted, 'hold')];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ted.now()).status).toBe('PENDING');
  });

  test('is unchanged without the bank’s answer until a retry', async () => {
    const withdrawal = await underWay();
    world.bank.next('order-end', error500);

    const refused = await play(withdrawal, 'complete');
    const before = await withdrawal.now();
    await play(withdrawal, 'complete');

    expect([refused.status, refused.error?.code, before.status]).toEqual([
      503,
      'PROVIDER_UNAVAILABLE',
      'PROCESSING',
    ]);
    await withdrawal.becomes('COMPLETED');
  });
});

describe('a withdrawal during provider faults that hold payouts', () => {
  async function heldWithdrawal(traits = {}): Promise<Followed> {
    const tenant = world.newMerchant(traits);
    world.bank.heldMerchants.add(tenant.merchantId);
    const withdrawal = followed(world, tenant, await world.client.newWithdrawal(tenant));
    await eventually(async () =>
      expect((await withdrawal.now()).waitingFor).toMatchObject({ what: 'approval' }),
    );
    return withdrawal;
  }

  test.each([
    ['approve', 'COMPLETED'],
    ['complete', 'COMPLETED'],
    ['fail', 'FAILED'],
    ['reject', 'REJECTED'],
  ])('stays PENDING until `%s` makes it %s, unlike other merchants’', async (step, status) => {
    const withdrawal = await heldWithdrawal();
    await world.makeDue(withdrawal.id);
    await (await follow(world)).becomes('COMPLETED');
    const before = await withdrawal.now();

    const answer = await play(withdrawal, step);

    expect([before.status, answer.status]).toEqual(['PENDING', 200]);
    await withdrawal.becomes(status);
  });

  test('is not approved until the bank reports its provider faults', async () => {
    world.bank.always('provider-faults', error500);
    const withdrawal = await follow(world);
    await eventually(() =>
      expect(world.bank.requests.some(({ id }) => id === withdrawal.tenant.merchantId)).toBe(true),
    );
    const before = await withdrawal.now();

    world.bank.always('provider-faults', honest);

    expect(before.status).toBe('PENDING');
    await withdrawal.becomes('COMPLETED');
  });
});

test('only sandbox orders name their merchant to the bank', async () => {
  const sandbox = await follow(world);
  await sandbox.becomes('COMPLETED');
  const tenant = world.newMerchant(
    { autoApproveLimit: 1_000_000, destinationCooldownHours: 0 },
    'production',
  );
  const production = followed(world, tenant, await world.client.newWithdrawal(tenant));
  await production.becomes('COMPLETED');

  const namedIn = ({ id }: Followed) => [
    ...new Set(world.bank.requestsFor(id, 'order').map(({ merchantId }) => merchantId)),
  ];
  expect([namedIn(sandbox), namedIn(production)]).toEqual([[sandbox.tenant.merchantId], [undefined]]);
});

test('sandbox steps are refused without a sandbox bank', async () => {
  const without = await startWorld({ settings: { SANDBOX_CONTROL_URL: null } });
  const withdrawal = await follow(without, { pixKey: 'hold@sandbox.test', pixKeyType: 'EMAIL' });
  const path = `/v1/sandbox/withdrawals/${withdrawal.id}/complete`;

  const answer = await without.call(withdrawal.tenant, path, { method: 'POST', body: {} });

  expect([answer.status, answer.error?.code]).toEqual([409, 'NO_SANDBOX_BANK']);
  expect((await withdrawal.now()).status).toBe('PENDING');
  await without.stop();
});
