import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { NO_BROKER } from '@plataforma/testing/world';
import { pendingTed } from '../operators/support/states.ts';
import { startWorld } from '../support/world.ts';
import { blockedPayoutsIn } from './support/blocked-payouts.ts';
import { comparedWhile } from './support/claims.ts';
import { agreeingWorld, type Followed } from './support/payouts.ts';

const world = agreeingWorld(() => startWorld({ brokerUrl: NO_BROKER }));

const { forgetDebits, isBlocked, decide, closeAlarm, alarmsOf } = blockedPayoutsIn(world);

/** Postpones the scheduler's work on the withdrawal, so that only the test verifies the ledger's records. */
async function resting(withdrawal: Followed): Promise<Followed> {
  const rest = `UPDATE withdrawals SET next_check_at = now() + interval '1 day' WHERE id = $1
    AND lease_token IS NULL`;
  await world.database.query(rest, [withdrawal.id]);
  return withdrawal;
}

async function blockedTed(): Promise<Followed> {
  const ted = await pendingTed(world);
  forgetDebits(ted.tenant.merchantId);
  await world.client.approve(ted.id, newId());
  return resting(await isBlocked(ted));
}

const blocksOf = ({ id }: Followed) =>
  world.database.query('SELECT reason FROM unproven_payouts WHERE withdrawal_id = $1', [id]);

describe('a comparison of the books during an operator’s decision', () => {
  test.each(['debit', 'fail-undebited'] as const)(
    'for %s of a TED leaves its alarm settled',
    async (verb) => {
      const ted = await blockedTed();
      const operatorId = newId();

      await comparedWhile(world, ted.id, async () =>
        expect(await decide(ted, verb, operatorId)).toMatchObject({ status: 200 }),
      );

      expect(await alarmsOf(ted)).toMatchObject([{ kind: 'NO_DEBIT', settledBy: operatorId }]);
      if (verb === 'fail-undebited') expect(await blocksOf(ted)).toEqual([]);
      await ted.becomes(verb === 'debit' ? 'PROCESSING' : 'FAILED');
      expect(await alarmsOf(ted)).toMatchObject([{ settledBy: operatorId }]);
    },
  );

  test('raises no alarm after a TED ended without one', async () => {
    const ted = await blockedTed();
    await world.database.query('DELETE FROM payout_alarms WHERE withdrawal_id = $1', [ted.id]);

    await comparedWhile(world, ted.id, async () =>
      expect(await decide(ted, 'fail-undebited')).toMatchObject({ status: 200 }),
    );

    expect([await alarmsOf(ted), await blocksOf(ted)]).toEqual([[], []]);
  });

  test('does not reopen an alarm settled meanwhile', async () => {
    const ted = await pendingTed(world);
    world.ledger.prove(ted.tenant.merchantId, (proof) => ({ ...proof, misfits: 1 }));
    await world.client.approve(ted.id, newId());
    await resting(await isBlocked(ted));
    const [alarm] = await alarmsOf(ted);
    let settledBy = '';

    await comparedWhile(world, ted.id, async () => {
      settledBy = await closeAlarm(alarm);
    });

    expect(await alarmsOf(ted)).toMatchObject([{ kind: 'CHAIN_REWRITTEN', settledBy }]);
    // The next verification opens the same alarm again, because the ledger's records are still wrong.
    await comparedWhile(world, ted.id, async () => undefined);
    expect(await alarmsOf(ted)).toMatchObject([
      { kind: 'CHAIN_REWRITTEN', settledBy: null, settledAt: null },
    ]);
    world.ledger.prove(ted.tenant.merchantId, (proof) => proof);
    await ted.becomes('PROCESSING');
  });
});

test('a comparison that finds a debit leaves newer alarms open', async () => {
  const ted = await blockedTed();
  const raiseAnew = `UPDATE payout_alarms SET created_at = now() WHERE withdrawal_id = $1`;
  world.ledger.prove(ted.tenant.merchantId, (proof) => proof);

  const found = await comparedWhile(world, ted.id, () => world.database.query(raiseAnew, [ted.id]));

  expect([found, await alarmsOf(ted)]).toMatchObject(['proven', [{ settledAt: null }]]);
  await eventually(() => comparedWhile(world, ted.id, async () => undefined));
  expect(await alarmsOf(ted)).toMatchObject([{ settledAt: expect.any(String), settledBy: null }]);
  await ted.becomes('PROCESSING');
});
