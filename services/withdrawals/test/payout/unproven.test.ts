import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { NO_BROKER } from '@plataforma/testing/world';
import { pendingTed } from '../operators/support/states.ts';
import { startWorld, type World } from '../support/world.ts';
import { blockedPayoutsIn } from './support/blocked-payouts.ts';
import { comparedWhile } from './support/claims.ts';
import { agreeingWorld, type Followed, followed } from './support/payouts.ts';

const world = agreeingWorld(() => startWorld({ brokerUrl: NO_BROKER }));

type Change = Parameters<World['ledger']['prove']>[1];

/** Creates a withdrawal whose verification gets the ledger's records with this change. */
async function withBooks(change: Change, prepare: (merchantId: string) => void = () => undefined) {
  const tenant = world.newMerchant();
  prepare(tenant.merchantId);
  world.ledger.prove(tenant.merchantId, change);
  return followed(world, tenant, await world.client.newWithdrawal(tenant));
}

const ordersOf = ({ id }: Followed) => world.bank.requestsFor(id, 'order').length;
const { alarmsOf, closeAlarm, decide, forgetDebits, isBlocked, settleAs } = blockedPayoutsIn(world);

/** Waits until wrong records of the ledger block the withdrawal, and returns the alarm. */
async function alarmOfBlocked(withdrawal: Followed) {
  await eventually(async () =>
    expect(await withdrawal.now()).toMatchObject({
      ...{ status: 'APPROVED', waitingFor: { what: 'review', until: null, who: 'platform' } },
    }),
  );
  const [alarm] = await alarmsOf(withdrawal);
  expect(ordersOf(withdrawal)).toBe(0);
  return alarm;
}

const same: Change = (proof) => proof;
const forged: [string, Change][] = [
  ['WALLET_CHANGED', (proof) => ({ ...proof, wallet: { 'available:PIX': 900_000_000 } })],
  ['CHAIN_REWRITTEN', (proof) => ({ ...proof, misfits: 1 })],
];

describe('a payout from a wallet with unproven books', () => {
  test.each(forged)('is blocked with an alarm when the books are %s', async (kind, change) => {
    const withdrawal = await withBooks(change);

    const alarm = await alarmOfBlocked(withdrawal);

    expect(alarm).toMatchObject({ kind, subject: 'payout', settledAt: null });
    world.ledger.prove(withdrawal.tenant.merchantId, same);
    await withdrawal.becomes('COMPLETED');
    expect(ordersOf(withdrawal)).toBe(1);
  });

  test('is blocked by a credit of an unreturned withdrawal', async () => {
    const credit = { kind: 'withdrawal_returned', reference: newId(), amount: 5_000 };
    const withdrawal = await withBooks(same, (merchantId) => world.ledger.post(merchantId, credit));

    const alarm = await alarmOfBlocked(withdrawal);

    expect(alarm).toMatchObject({ kind: 'UNPROVEN_CREDIT', amount: 5_000 });
    await closeAlarm(alarm);
    await withdrawal.becomes('COMPLETED');
  });

  test('is blocked by a credit of an unpaid charge', async () => {
    const [real, credit] = [1_000, 80_000].map((amount) => ({
      kind: 'charge_paid',
      reference: newId(),
      amount,
    }));
    const withdrawal = await withBooks(same, (merchantId) => {
      if (!real || !credit) throw new Error('there are two credits');
      world.ledger.post(merchantId, real);
      world.charges.record(merchantId, real);
      world.ledger.post(merchantId, credit);
    });

    const alarm = await alarmOfBlocked(withdrawal);

    expect(alarm).toMatchObject({ kind: 'UNPROVEN_CREDIT', amount: 80_000 });
    if (credit) world.charges.record(withdrawal.tenant.merchantId, credit);
    await withdrawal.becomes('COMPLETED');
  });

  test('is blocked by a credit of another kind of entry', async () => {
    const credit = { kind: 'receivable_due', reference: newId(), amount: 700 };
    const withdrawal = await withBooks(same, (merchantId) => world.ledger.post(merchantId, credit));

    expect(await alarmOfBlocked(withdrawal)).toMatchObject({ kind: 'UNPROVEN_CREDIT', amount: 700 });
  });

  test('stays blocked without a debit after its alarm is settled', async () => {
    const withdrawal = await withBooks((proof) => ({ ...proof, debit: null }));

    const alarm = await alarmOfBlocked(withdrawal);
    await settleAs(alarm, world.stopControls.hire());
    await world.makeDue(withdrawal.id);

    expect(alarm).toMatchObject({ kind: 'NO_DEBIT' });
    await eventually(async () =>
      expect(await alarmsOf(withdrawal)).toMatchObject([{ kind: 'NO_DEBIT', settledAt: null }]),
    );
    expect(ordersOf(withdrawal)).toBe(0);
  });

  test('is blocked by missing entries until an operator accepts', async () => {
    const earlier = await withBooks(same);
    const { tenant } = earlier;
    await earlier.becomes('COMPLETED');
    const behind: Change = ({ debit, ...proof }) => ({
      ...{ ...proof, debit, from: { ...proof.from, hash: null } },
      ...{ reached: proof.from, head: { sequence: 0, hash: null }, moved: {}, wallet: {} },
    });
    world.ledger.prove(tenant.merchantId, behind);
    const withdrawal = followed(world, tenant, await world.client.newWithdrawal(tenant));

    const alarm = await alarmOfBlocked(withdrawal);
    world.ledger.prove(tenant.merchantId, same);
    await closeAlarm(alarm);

    expect(alarm).toMatchObject({ kind: 'BOOKS_BEHIND' });
    await withdrawal.becomes('COMPLETED');
  });
});

test('a payout waits without an alarm for an unavailable ledger', async () => {
  const withdrawal = await withBooks(() => null);

  expect(await alarmOfBlocked(withdrawal)).toBeUndefined();

  world.ledger.prove(withdrawal.tenant.merchantId, same);
  expect(await withdrawal.becomes('COMPLETED')).toMatchObject({ waitingFor: null });
});

test('a payout waits while charges can’t confirm a credit', async () => {
  const credit = { kind: 'refund_refused', reference: newId(), amount: 2_000 };
  world.charges.answers(false);
  const withdrawal = await withBooks(same, (merchantId) => {
    world.ledger.post(merchantId, credit);
    world.charges.record(merchantId, credit);
  });

  expect(await alarmOfBlocked(withdrawal)).toBeUndefined();

  world.charges.answers(true);
  await withdrawal.becomes('COMPLETED');
});

test('two replicas compare one credit, record one position, order once', async () => {
  const credit = { kind: 'charge_paid', reference: newId(), amount: 5_000 };
  const withdrawal = await withBooks(
    () => null,
    (merchantId) => {
      world.ledger.post(merchantId, credit);
      world.charges.record(merchantId, credit);
    },
  );
  await alarmOfBlocked(withdrawal);
  const second = await world.startReplica();
  world.ledger.prove(withdrawal.tenant.merchantId, same);

  await withdrawal.becomes('COMPLETED');

  const [position] = await world.database.query('SELECT sequence FROM wallet_proofs WHERE merchant_id = $1', [
    withdrawal.tenant.merchantId,
  ]);
  expect([position, ordersOf(withdrawal)]).toEqual([{ sequence: 2 }, 1]);
  await second.stop();
});

test('a TED of unproven books is not handed to people', async () => {
  const ted = await pendingTed(world);
  world.ledger.prove(ted.tenant.merchantId, (proof) => ({ ...proof, misfits: 1 }));

  await world.client.approve(ted.id, newId());

  expect(await alarmOfBlocked(ted)).toMatchObject({ kind: 'CHAIN_REWRITTEN' });
  world.ledger.prove(ted.tenant.merchantId, same);
  await ted.becomes('PROCESSING');
});

test('an operator’s settlement records the accepted position of the books', async () => {
  const withdrawal = await withBooks((proof) => ({ ...proof, misfits: 1 }));
  const alarm = await alarmOfBlocked(withdrawal);

  world.ledger.prove(withdrawal.tenant.merchantId, same);
  await closeAlarm(alarm);

  const [entry] = await world.database.query<{ after: unknown }>(
    'SELECT after FROM audit_log WHERE subject_id = $1 ORDER BY sequence DESC LIMIT 1',
    [alarm?.id],
  );
  expect(entry?.after).toMatchObject({ kind: 'CHAIN_REWRITTEN', accepted: { sequence: 1 } });
  await withdrawal.becomes('COMPLETED');
});

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
