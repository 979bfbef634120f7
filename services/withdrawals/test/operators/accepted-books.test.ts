import { beforeEach, describe, expect, test } from '@jest/globals';
import { NO_BROKER } from '@plataforma/testing/world';
import { readAcceptedAlone } from '../../src/store/gauges.ts';
import { blockedPayoutsIn } from '../payout/support/blocked-payouts.ts';
import { comparedWhile } from '../payout/support/claims.ts';
import { agreeingWorld, type Followed } from '../payout/support/payouts.ts';
import { startWorld } from '../support/world.ts';
import { pendingTed } from './support/states.ts';

const world = agreeingWorld(() => startWorld({ brokerUrl: NO_BROKER }));

beforeEach(() => world.stopControls.keepOnly());

const { isBlocked, settleAs, alarmsOf, auditOf } = blockedPayoutsIn(world);

/**
 * Creates a TED that waits because its wallet's hash chain was rewritten, and returns it with its alarm. The
 * scheduler does not check the TED again during the test.
 */
async function mismatchedTed() {
  const ted = await pendingTed(world);
  world.ledger.prove(ted.tenant.merchantId, (proof) => ({ ...proof, misfits: 1 }));
  await world.client.approve(ted.id, world.stopControls.hire().operatorId);
  await isBlocked(ted);
  await world.database.query(
    `UPDATE withdrawals SET next_check_at = now() + interval '1 day' WHERE id = $1`,
    [ted.id],
  );
  const [alarm] = await alarmsOf(ted);
  if (!alarm) throw new Error('there is no alarm');
  return { ted, alarm };
}

const acceptedOf = ({ tenant: { merchantId } }: Followed) =>
  world.database.query('SELECT sequence FROM wallet_proofs WHERE merchant_id = $1', [merchantId]);

describe('unproven books', () => {
  test('are accepted only by two different operators', async () => {
    const { ted, alarm } = await mismatchedTed();
    const [first, second] = [world.stopControls.hire(), world.stopControls.hire()];
    world.stopControls.hire('SUPPORT');
    const proposed = { settledAt: null, settledBy: null, settlingProposedBy: first.operatorId };

    expect(await settleAs(alarm, first)).toMatchObject({ status: 202, data: proposed });
    expect(await settleAs(alarm, first)).toMatchObject({ status: 202, data: proposed });
    expect([await alarmsOf(ted), await acceptedOf(ted)]).toMatchObject([[proposed], []]);
    expect(await settleAs(alarm, second)).toMatchObject({
      ...{ status: 200, data: { settledBy: second.operatorId, settlingProposedBy: first.operatorId } },
    });

    expect(await acceptedOf(ted)).toHaveLength(1);
    expect(await auditOf(alarm)).toMatchObject([
      {
        action: 'alarm.propose_settle',
        operator_id: first.operatorId,
        after: { settled: false, accepted: null },
      },
      {
        ...{ action: 'alarm.settle', operator_id: second.operatorId },
        after: { settled: true, proposedBy: first.operatorId, isAlone: false },
      },
    ]);
    expect(await settleAs(alarm, first)).toMatchObject({ status: 409 });
    expect(await readAcceptedAlone(world.database)).toMatchObject([{ value: 0 }]);
  });

  test.each([
    ['position', `offer = jsonb_set(offer, '{sequence}', '99')`],
    ['balances', `offer = offer || '{"balances": {"available:PIX": 1}}'`],
    ['wallet', 'merchant_id = gen_random_uuid()'],
  ])('are not accepted with a %s that an intruder wrote', async (_, change) => {
    const { alarm } = await mismatchedTed();
    const [first, second] = [world.stopControls.hire(), world.stopControls.hire()];
    await world.database.query(`UPDATE payout_alarms SET ${change} WHERE id = $1`, [alarm.id]);
    const before = await world.database.query('SELECT * FROM wallet_proofs');

    expect(await settleAs(alarm, first)).toMatchObject({ status: 202 });
    expect(await settleAs(alarm, second)).toMatchObject({ status: 409 });

    expect(await world.database.query('SELECT * FROM wallet_proofs')).toEqual(before);
  });

  test('are accepted once by two simultaneous operators', async () => {
    const { ted, alarm } = await mismatchedTed();
    const both = [world.stopControls.hire(), world.stopControls.hire()];

    const answers = await Promise.all(both.map((operator) => settleAs(alarm, operator)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 202]);
    expect(await acceptedOf(ted)).toHaveLength(1);
  });

  test('need a new proposal after a day, departure or alarm', async () => {
    const { ted, alarm } = await mismatchedTed();
    const [first, second, third] = [
      world.stopControls.hire(),
      world.stopControls.hire(),
      world.stopControls.hire(),
    ];
    await settleAs(alarm, first);
    await world.database.query(
      `UPDATE payout_alarms SET proposed_at = now() - interval '25 hours' WHERE id = $1`,
      [alarm.id],
    );
    expect(await settleAs(alarm, second)).toMatchObject({ status: 202 });
    world.stopControls.keepOnly(first, third);
    expect(await settleAs(alarm, third)).toMatchObject({ status: 202 });
    expect(await settleAs(alarm, second)).toMatchObject({ status: 403 });
    expect(await settleAs(alarm, first)).toMatchObject({ status: 200 });

    await comparedWhile(world, ted.id, async () => undefined);

    expect(await alarmsOf(ted)).toMatchObject([{ settledAt: null, settlingProposedBy: null }]);
    expect(await settleAs(alarm, first)).toMatchObject({ status: 202 });
  });

  test('are not accepted by a proposal older than the alarm', async () => {
    const { ted, alarm } = await mismatchedTed();
    const [first, second] = [world.stopControls.hire(), world.stopControls.hire()];
    await settleAs(alarm, first);
    await world.database.query(
      `UPDATE payout_alarms
       SET created_at = now() - interval '1 hour', proposed_at = now() - interval '2 hours' WHERE id = $1`,
      [alarm.id],
    );

    expect(await settleAs(alarm, second)).toMatchObject({
      ...{ status: 202, data: { settledAt: null, settlingProposedBy: second.operatorId } },
    });

    expect(await acceptedOf(ted)).toEqual([]);
    expect(await settleAs(alarm, first)).toMatchObject({ status: 200 });
  });

  test('are accepted by the only active operator, which is counted', async () => {
    const { alarm } = await mismatchedTed();
    const only = world.stopControls.hire();
    world.stopControls.hire('SUPPORT');
    world.stopControls.keepOnly(only);

    expect(await settleAs(alarm, only)).toMatchObject({ status: 200, data: { settlingProposedBy: null } });

    expect((await auditOf(alarm)).at(-1)).toMatchObject({ after: { proposedBy: null, isAlone: true } });
    expect(await readAcceptedAlone(world.database)).toMatchObject([{ value: 1 }]);
  });
});
