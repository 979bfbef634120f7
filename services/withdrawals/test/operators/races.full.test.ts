import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { disagreements } from '../payout/support/payouts.ts';
import type { Answered, Client } from '../support/client.ts';
import { startWorld, type World } from '../support/world.ts';
import { auditOf, pending, pendingTed } from './support/states.ts';

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

/** Ten at a time: on a busy machine the waiting of one is the work of another. */
async function inRounds(count: number, play: (round: number) => Promise<void>): Promise<void> {
  const full = rounds(count);
  for (let first = 0; first < full; first += 10) {
    await Promise.all(Array.from({ length: Math.min(10, full - first) }, (_, i) => play(first + i)));
  }
}

const codesOf = (answers: Answered[]) => answers.map(({ status, error }) => error?.code ?? status);

test('approve ∥ reject ∥ approve has one winner, one end and one row of the audit log', async () => {
  await inRounds(50, async (round) => {
    const withdrawal = await pending(world);
    const [here, there] = round % 2 === 0 ? [world.client, other] : [other, world.client];

    const answers = await Promise.all([
      here.approve(withdrawal.id, newId()),
      there.reject(withdrawal.id, newId()),
      there.approve(withdrawal.id, newId()),
    ]);

    expect(codesOf(answers).sort()).toEqual([200, 'INVALID_STATE', 'INVALID_STATE']);
    const isRejected = answers[1]?.status === 200;
    await withdrawal.becomes(isRejected ? 'REJECTED' : 'COMPLETED');
    expect(await auditOf(world, withdrawal)).toMatchObject([
      { action: isRejected ? 'withdrawal.reject' : 'withdrawal.approve', before: { status: 'PENDING' } },
    ]);
    expect(await withdrawal.told()).toEqual([isRejected ? 'withdrawal.rejected' : 'withdrawal.completed']);
  });
});

test('of one operator’s two approvals at once above the threshold one counts', async () => {
  await inRounds(20, async () => {
    const withdrawal = await pending(world, { amount: 50_001 });
    const operatorId = newId();

    const answers = await Promise.all([
      world.client.approve(withdrawal.id, operatorId),
      other.approve(withdrawal.id, operatorId),
    ]);

    expect(codesOf(answers).sort()).toEqual([200, 'FORBIDDEN']);
    expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
    expect(await auditOf(world, withdrawal)).toHaveLength(1);
  });
});

test('of three operators’ approvals at once above the threshold two count', async () => {
  await inRounds(20, async () => {
    const withdrawal = await pending(world, { amount: 50_001 });

    const answers = await Promise.all(
      [world.client, other, world.client].map((client) => client.approve(withdrawal.id, newId())),
    );

    expect(codesOf(answers).sort()).toEqual([200, 200, 'INVALID_STATE']);
    expect(await auditOf(world, withdrawal)).toMatchObject([
      { after: { status: 'PENDING' } },
      { after: { status: 'APPROVED' } },
    ]);
    await withdrawal.becomes('COMPLETED');
  });
});

test('complete ∥ fail of a TED has one winner and one event', async () => {
  await inRounds(20, async () => {
    const withdrawal = await pendingTed(world);
    await world.client.approve(withdrawal.id, newId());
    await withdrawal.becomes('PROCESSING');

    const answers = await Promise.all([
      world.client.complete(withdrawal.id, newId()),
      other.fail(withdrawal.id, newId()),
    ]);

    expect(codesOf(answers).sort()).toEqual([200, 'INVALID_STATE']);
    expect(await withdrawal.told()).toHaveLength(1);
    expect(await auditOf(world, withdrawal)).toHaveLength(2);
  });
});

test('reject ∥ the clock has one winner', async () => {
  await inRounds(20, async () => {
    const withdrawal = await pending(world, {}, { autoApproveLimit: 99_999, destinationCooldownHours: 24 });
    const today = 'UPDATE withdrawals SET payable_from = now(), next_check_at = now() WHERE id = $1';

    const [, rejected] = await Promise.all([
      world.database.query(today, [withdrawal.id]),
      other.reject(withdrawal.id, newId()),
    ]);

    await withdrawal.becomes(rejected.status === 200 ? 'REJECTED' : 'COMPLETED');
    expect(await withdrawal.told()).toHaveLength(1);
  });
});
