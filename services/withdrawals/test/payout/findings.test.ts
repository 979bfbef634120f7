import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import type { OrderOutcome } from '../../src/domain/payout.ts';
import { endsOf } from '../support/ends-of.ts';
import { CLIENT } from '../support/fake-bank.ts';
import { startWorld } from '../support/world.ts';
import { claimed, replicaWith } from './support/claims.ts';

// The scheduler does not run during the test, so that only the test processes payouts.
const world = worldOfFile(() => startWorld({ tuning: { scheduleEveryMs: 3_600_000 } }));

const done = { state: 'done', reference: 'E1', amount: 15_000 } as const;
const accepted = { state: 'accepted', reference: 'E1' } as const;
const refused = { state: 'refused', reason: 'invalid_key' } as const;
const failed = { state: 'failed', reason: 'account_closed' } as const;

async function approved(): Promise<{ id: string; tenant: Tenant }> {
  const tenant = world.newMerchant();
  const { id } = await world.client.newWithdrawal(tenant);
  await world.database.query(`UPDATE withdrawals SET status = 'APPROVED', checks = 0 WHERE id = $1`, [id]);
  return { id, tenant };
}

/** Creates a payout and sends it to a bank that gives this answer. With null the bank's answer is lost. */
async function ordered(answer: OrderOutcome | null): Promise<string> {
  const { id } = await approved();
  const order = async () => answer ?? Promise.reject(new Error('the answer is lost'));
  await replicaWith(world, { order })
    .advance(await claimed(world, id))
    .catch(() => null);
  return id;
}

const announced = async (id: string) => (await endsOf(world, id)).map(({ type }) => type);
const alarmsOf = (id: string) =>
  world.database.query('SELECT recorded, told, amount_cents FROM payout_alarms WHERE withdrawal_id = $1', [
    id,
  ]);

/** Sends a payout to a bank, and runs `meanwhile` before the bank answers. */
async function answeredAfter(answer: OrderOutcome, meanwhile: (id: string) => Promise<unknown>) {
  const { id } = await approved();
  const order = async () => {
    await meanwhile(id);
    return answer;
  };
  await replicaWith(world, { order }).advance(await claimed(world, id));
  return { id, row: await world.rowOf(id) };
}

/** Leases a row as the previous release does: it writes no lease token and increases `checks`. */
const claimedByOldRelease = (id: string) =>
  world.database.query(
    `UPDATE withdrawals SET checks = checks + 1, next_check_at = now() + interval '30 s' WHERE id = $1`,
    [id],
  );

test('a first refusal is not final beside an older release', async () => {
  let due: unknown;
  const { id, row } = await answeredAfter(refused, async (claimedId) => {
    await claimedByOldRelease(claimedId);
    due = (await world.rowOf(claimedId))?.next_check_at;
  });

  expect(row).toMatchObject({ status: 'PROCESSING', failure_reason: null, next_check_at: due });
  expect(await announced(id)).toEqual([]);
});

test('a query ends no payout claimed by an older release', async () => {
  const id = await ordered(null);
  const find = async () => {
    await claimedByOldRelease(id);
    return null;
  };
  const replica = replicaWith(world, { find, order: async () => refused });

  await replica.advance(await claimed(world, id));

  expect(await world.rowOf(id)).toMatchObject({ status: 'PROCESSING', doubted_at: null });
});

test('an acceptance does not reset the older release’s claim count', async () => {
  const id = await ordered(null);
  const bank = { find: async () => null, order: async () => accepted };

  await replicaWith(world, bank).advance(await claimed(world, id));

  expect(await world.rowOf(id)).toMatchObject({ accepted_at: expect.any(Date), checks: 1 });
});

test('a contradictory older payout is neither reordered nor given up', async () => {
  const id = await ordered(accepted);
  const old = `UPDATE withdrawals SET doubt_reason = 'invalid_key', doubted_at = now() - interval '1 h'
    WHERE id = $1`;
  await world.database.query(old, [id]);
  const attempt = replicaWith(world, { find: async () => null }).advance(await claimed(world, id));

  await expect(attempt).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
  expect(await world.rowOf(id)).toMatchObject({ status: 'PROCESSING', failure_reason: null });

  await replicaWith(world, { find: async () => done }).advance(await claimed(world, id));
  expect(await world.rowOf(id)).toMatchObject({ status: 'COMPLETED', doubt_reason: null });
});

test('an order is recorded with its account before it leaves', async () => {
  let atOrder: unknown;
  const { row } = await answeredAfter(accepted, async (id) => {
    atOrder = await world.rowOf(id);
  });

  const started = { status: 'PROCESSING', ordered_from: CLIENT.key, started_at: expect.any(Date), checks: 0 };
  expect(atOrder).toMatchObject({ ...started, accepted_at: null, lease_token: expect.any(String) });
  expect(row).toMatchObject({ ...started, provider_tx_id: 'E1', lease_token: null });
});

test('a payout ordered from another account is left alone', async () => {
  const id = await ordered(null);
  await world.database.query(`UPDATE withdrawals SET ordered_from = 'outra@conta.test' WHERE id = $1`, [id]);
  const calls: string[] = [];
  const find = async () => {
    calls.push('find');
    return null;
  };

  const advancing = replicaWith(world, { find }).advance(await claimed(world, id));

  await expect(advancing).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
  expect([calls, await world.rowOf(id)]).toMatchObject([[], { status: 'PROCESSING', lease_token: null }]);
});

test.each(['SUSPENDED', 'REJECTED'] as const)(
  'no payout of a merchant that is %s is ordered',
  async (status) => {
    const { id } = await approved();

    await replicaWith(world, { status }).advance(await claimed(world, id));

    const row = await world.rowOf(id);
    expect(row).toMatchObject({ status: 'APPROVED', started_at: null, lease_token: null });
    expect(Number(row?.next_check_at) - Date.now()).toBeGreaterThan(50_000);
  },
);

test('a failed payout resumes when the bank accepts it again', async () => {
  const id = await ordered(accepted);
  const { accepted_at: first } = (await world.rowOf(id)) ?? {};
  const advance = async (found: Exclude<OrderOutcome, { state: 'refused' }>) => {
    await replicaWith(world, { find: async () => found }).advance(await claimed(world, id));
    const row = await world.rowOf(id);
    return { at: row?.accepted_at, restMs: Number(row?.next_check_at) - Date.now() };
  };

  const ended = await advance(failed);
  const again = await advance(accepted);
  const endedAgain = await advance(failed);

  expect(ended.at).toEqual(first);
  expect(Number(again.at)).toBeGreaterThan(Number(first));
  // `again` is due within a minute, like every unfinished payout. `endedAgain` has failed, and a failed
  // payout is checked every 15 minutes.
  expect([again.restMs < 60_000, endedAgain.restMs > 800_000]).toEqual([true, true]);
  expect(endedAgain.at).toBeNull();
  expect([await announced(id), await alarmsOf(id)]).toEqual([['withdrawal.failed'], []]);
});
