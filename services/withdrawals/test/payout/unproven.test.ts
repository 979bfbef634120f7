import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { NO_BROKER } from '@plataforma/testing/world';
import { pendingTed } from '../operators/support/states.ts';
import { startWorld, type World } from '../support/world.ts';
import { blockedPayoutsIn } from './support/blocked-payouts.ts';
import { agreeingWorld, type Followed, followed } from './support/payouts.ts';

const world = agreeingWorld(() => startWorld({ brokerUrl: NO_BROKER }));

type Change = Parameters<World['ledger']['prove']>[1];

/** A withdrawal whose books say this when they are compared. */
async function withBooks(change: Change, prepare: (merchantId: string) => void = () => undefined) {
  const tenant = world.newMerchant();
  prepare(tenant.merchantId);
  world.ledger.prove(tenant.merchantId, change);
  return followed(world, tenant, await world.client.newWithdrawal(tenant));
}

const ordersOf = ({ id }: Followed) => world.bank.requestsFor(id, 'order').length;
const { alarmsOf, settle, settleAs } = blockedPayoutsIn(world);

/** Waits until it is held, and answers its alarm. */
async function isBlocked(withdrawal: Followed) {
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

describe('a payout is not ordered, says so, and raises an alarm that is settled,', () => {
  test.each(forged)('when the books are %s', async (kind, change) => {
    const withdrawal = await withBooks(change);

    const alarm = await isBlocked(withdrawal);

    expect(alarm).toMatchObject({ kind, subject: 'payout', settledAt: null });
    world.ledger.prove(withdrawal.tenant.merchantId, same);
    await withdrawal.becomes('COMPLETED');
    expect(ordersOf(withdrawal)).toBe(1);
  });

  test('when a credit is of a withdrawal that never gave its money back', async () => {
    const credit = { kind: 'withdrawal_returned', reference: newId(), amount: 5_000 };
    const withdrawal = await withBooks(same, (merchantId) => world.ledger.post(merchantId, credit));

    const alarm = await isBlocked(withdrawal);

    expect(alarm).toMatchObject({ kind: 'UNPROVEN_CREDIT', amount: 5_000 });
    await settle(alarm);
    await withdrawal.becomes('COMPLETED');
  });

  test('when a credit is of a charge that was never paid, as a forged event leaves it', async () => {
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

    const alarm = await isBlocked(withdrawal);

    expect(alarm).toMatchObject({ kind: 'UNPROVEN_CREDIT', amount: 80_000 });
    if (credit) world.charges.record(withdrawal.tenant.merchantId, credit);
    await withdrawal.becomes('COMPLETED');
  });

  test('when an entry of another kind gives the merchant money', async () => {
    const credit = { kind: 'receivable_due', reference: newId(), amount: 700 };
    const withdrawal = await withBooks(same, (merchantId) => world.ledger.post(merchantId, credit));

    expect(await isBlocked(withdrawal)).toMatchObject({ kind: 'UNPROVEN_CREDIT', amount: 700 });
  });

  test('when its money was never taken; settling pays nothing', async () => {
    const withdrawal = await withBooks((proof) => ({ ...proof, debit: null }));

    const alarm = await isBlocked(withdrawal);
    await settleAs(alarm, world.stopControls.hire());
    await world.makeDue(withdrawal.id);

    expect(alarm).toMatchObject({ kind: 'NO_DEBIT' });
    await eventually(async () =>
      expect(await alarmsOf(withdrawal)).toMatchObject([{ kind: 'NO_DEBIT', settledAt: null }]),
    );
    expect(ordersOf(withdrawal)).toBe(0);
  });

  test('when entries that were compared before are others, or gone, and goes on from there once that is accepted', async () => {
    const earlier = await withBooks(same);
    const { tenant } = earlier;
    await earlier.becomes('COMPLETED');
    const behind: Change = ({ debit, ...proof }) => ({
      ...{ ...proof, debit, from: { ...proof.from, hash: null } },
      ...{ reached: proof.from, head: { sequence: 0, hash: null }, moved: {}, wallet: {} },
    });
    world.ledger.prove(tenant.merchantId, behind);
    const withdrawal = followed(world, tenant, await world.client.newWithdrawal(tenant));

    const alarm = await isBlocked(withdrawal);
    world.ledger.prove(tenant.merchantId, same);
    await settle(alarm);

    expect(alarm).toMatchObject({ kind: 'BOOKS_BEHIND' });
    await withdrawal.becomes('COMPLETED');
  });
});

test('a payout waits while the ledger does not answer for it, without an alarm, and then leaves', async () => {
  const withdrawal = await withBooks(() => null);

  expect(await isBlocked(withdrawal)).toBeUndefined();

  world.ledger.prove(withdrawal.tenant.merchantId, same);
  expect(await withdrawal.becomes('COMPLETED')).toMatchObject({ waitingFor: null });
});

test('a payout waits while charges does not answer for a credit, and leaves when it has it on record', async () => {
  const credit = { kind: 'refund_refused', reference: newId(), amount: 2_000 };
  world.charges.answers(false);
  const withdrawal = await withBooks(same, (merchantId) => {
    world.ledger.post(merchantId, credit);
    world.charges.record(merchantId, credit);
  });

  expect(await isBlocked(withdrawal)).toBeUndefined();

  world.charges.answers(true);
  await withdrawal.becomes('COMPLETED');
});

test('two replicas that compare the same credit keep one position, and order once', async () => {
  const credit = { kind: 'charge_paid', reference: newId(), amount: 5_000 };
  const withdrawal = await withBooks(
    () => null,
    (merchantId) => {
      world.ledger.post(merchantId, credit);
      world.charges.record(merchantId, credit);
    },
  );
  await isBlocked(withdrawal);
  const second = await world.startReplica();
  world.ledger.prove(withdrawal.tenant.merchantId, same);

  await withdrawal.becomes('COMPLETED');

  const [position] = await world.database.query('SELECT sequence FROM wallet_proofs WHERE merchant_id = $1', [
    withdrawal.tenant.merchantId,
  ]);
  expect([position, ordersOf(withdrawal)]).toEqual([{ sequence: 2 }, 1]);
  await second.stop();
});

test('a TED that the books do not account for is not handed to people', async () => {
  const ted = await pendingTed(world);
  world.ledger.prove(ted.tenant.merchantId, (proof) => ({ ...proof, misfits: 1 }));

  await world.client.approve(ted.id, newId());

  expect(await isBlocked(ted)).toMatchObject({ kind: 'CHAIN_REWRITTEN' });
  world.ledger.prove(ted.tenant.merchantId, same);
  await ted.becomes('PROCESSING');
});

test('an operator’s settlement says until where the books were accepted', async () => {
  const withdrawal = await withBooks((proof) => ({ ...proof, misfits: 1 }));
  const alarm = await isBlocked(withdrawal);

  world.ledger.prove(withdrawal.tenant.merchantId, same);
  await settle(alarm);

  const [entry] = await world.database.query<{ after: unknown }>(
    'SELECT after FROM audit_log WHERE subject_id = $1 ORDER BY sequence DESC LIMIT 1',
    [alarm?.id],
  );
  expect(entry?.after).toMatchObject({ kind: 'CHAIN_REWRITTEN', accepted: { sequence: 1 } });
  await withdrawal.becomes('COMPLETED');
});
