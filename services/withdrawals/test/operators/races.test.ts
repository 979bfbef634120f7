import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { disagreements, type Followed } from '../payout/support/payouts.ts';
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

/** Runs ten rounds at the same time, because each round mostly waits. */
async function inRounds(count: number, play: (round: number) => Promise<void>): Promise<void> {
  const full = rounds(count);
  for (let first = 0; first < full; first += 10) {
    await Promise.all(Array.from({ length: Math.min(10, full - first) }, (_, i) => play(first + i)));
  }
}

const codesOf = (answers: (Answered | null)[]) =>
  answers.flatMap((answer) => (answer ? [answer.error?.code ?? answer.status] : []));

/**
 * The competing steps of an operator, the merchant or the scheduler. `ends` is the expected status if that
 * step is first.
 */
const steps = {
  approve: { ends: 'COMPLETED', take: ({ approve }: Client, { id }: Followed) => approve(id, newId()) },
  reject: { ends: 'REJECTED', take: ({ reject }: Client, { id }: Followed) => reject(id, newId()) },
  complete: { ends: 'COMPLETED', take: ({ complete }: Client, { id }: Followed) => complete(id, newId()) },
  fail: { ends: 'FAILED', take: ({ fail }: Client, { id }: Followed) => fail(id, newId()) },
  cancel: { ends: 'REJECTED', take: ({ cancel }: Client, { id, tenant }: Followed) => cancel(tenant, id) },
  clock: {
    ends: 'COMPLETED',
    take: async (_client: Client, { id }: Followed) => {
      await world.makePayable(id);
      return null;
    },
  },
} as const;

/** Creates a withdrawal that the scheduler approves only tomorrow, after the payee's cool-down. */
const forTomorrow = () => pending(world, {}, { autoApproveLimit: 99_999, destinationCooldownHours: 24 });

async function sentTed(): Promise<Followed> {
  const withdrawal = await pendingTed(world);
  await world.client.approve(withdrawal.id, newId());
  await withdrawal.becomes('PROCESSING');
  return withdrawal;
}

test.each<[(keyof typeof steps)[], () => Promise<Followed>]>([
  [['approve', 'reject', 'approve'], () => pending(world)],
  [['approve', 'cancel'], () => pending(world)],
  [['cancel', 'cancel', 'reject'], () => pending(world)],
  [['complete', 'fail'], sentTed],
  [['clock', 'reject'], forTomorrow],
  [['clock', 'cancel'], forTomorrow],
])('concurrent %j have one winner, end and audit row', async (names, begin) => {
  await inRounds(50, async (round) => {
    const withdrawal = await begin();
    const audited = (await auditOf(world, withdrawal)).length;
    const before = { status: (await withdrawal.now()).status };

    const answers = await Promise.all(
      names.map((name, i) => steps[name].take((i + round) % 2 === 0 ? world.client : other, withdrawal)),
    );

    const [won, ...others] = names.filter((_, i) => answers[i]?.status === 200);
    const lost = names.filter((name) => name !== 'clock').length - (won ? 1 : 0);
    const winner = won ?? 'clock';
    expect([others, names]).toEqual([[], expect.arrayContaining([winner])]);
    expect(codesOf(answers).filter((code) => code === 'INVALID_STATE')).toHaveLength(lost);
    await withdrawal.becomes(steps[winner].ends);
    expect(await withdrawal.announcedEnds()).toEqual([`withdrawal.${steps[winner].ends.toLowerCase()}`]);
    const isDecision = winner !== 'clock' && winner !== 'cancel';
    expect((await auditOf(world, withdrawal)).slice(audited)).toMatchObject(
      isDecision ? [{ action: `withdrawal.${winner}`, before }] : [],
    );
  });
});

test('one operator’s two concurrent approvals count once above the threshold', async () => {
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

test('two of three concurrent approvals count above the threshold', async () => {
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
