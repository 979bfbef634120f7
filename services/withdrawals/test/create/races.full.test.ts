import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { error500, eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { type Answered, type Client, newOrder } from '../support/client.ts';
import { endsOf } from '../support/ends-of.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(() => startWorld({ tuning: { scheduleEveryMs: 5 } }));
let clients: Client[];

beforeAll(async () => {
  clients = [world.client, (await world.startReplica()).client];
});

const created = z.object({ id: z.string() });
const idOf = ({ data }: Answered) => created.parse(data).id;
const codesOf = (answers: Answered[]) => [...new Set(answers.flatMap(({ error }) => error?.code ?? []))];

/** Sends `number` requests at the same time, alternating between two replicas. */
function atOnce(number: number, send: (client: Client, index: number) => Promise<Answered>) {
  return Promise.all(
    Array.from({ length: number }, (_, index) => send(clients[index % 2] ?? world.client, index)),
  );
}

describe('the same order sent many times at once', () => {
  test.each([
    ['with one key', {}, 'folha-1'],
    ['with one externalId', { externalId: 'folha-1' }, undefined],
    ['with both', { externalId: 'folha-1' }, 'folha-1'],
  ])('%s gives one withdrawal, one debit and one limit use', async (_what, changes, key) => {
    for (let round = 0; round < rounds(5); round += 1) {
      const merchant = world.newMerchant({ dailyWithdrawalLimit: 15_000 });
      const order = newOrder(changes);

      const answers = await atOnce(20, (client) => client.create(merchant, order, key));

      const [row, ...others] = await world.rowsOf(merchant);
      const given = answers.filter(({ status }) => status < 300);
      expect(others).toEqual([]);
      expect(given.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
      expect([...new Set(given.map(idOf))]).toEqual([row?.id]);
      expect(world.takenOf(merchant)).toEqual([row?.id]);
      expect(['', 'REQUEST_IN_PROGRESS']).toContain(codesOf(answers).join());
      const again = await atOnce(2, (client) => client.create(merchant, order, key));
      expect(again.map(idOf)).toEqual([row?.id, row?.id]);
    }
  });

  test('with different keys and one externalId is one withdrawal', async () => {
    for (let round = 0; round < rounds(5); round += 1) {
      const merchant = world.newMerchant();
      const order = newOrder({ externalId: 'folha-1' });

      const answers = await atOnce(10, (client, index) => client.create(merchant, order, `k-${index}`));
      const again = await atOnce(10, (client, index) => client.create(merchant, order, `k-${index}`));

      const [row, ...others] = await world.rowsOf(merchant);
      expect(others).toEqual([]);
      expect(['', 'REQUEST_IN_PROGRESS']).toContain(codesOf(answers).join());
      expect([...new Set(again.map(idOf))]).toEqual([row?.id]);
      expect(world.takenOf(merchant)).toEqual([row?.id]);
    }
  });
});

test('a hundred concurrent withdrawals succeed only while the balance lasts', async () => {
  const merchant = world.newMerchant({ withdrawalFee: 100, withdrawalFeeMode: 'BALANCE' }, 'production');
  world.ledger.setBalance(merchant.merchantId, 10 * 15_100);

  const answers = await atOnce(100, (client) => client.create(merchant, newOrder()));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(answers.filter(({ error }) => error?.code === 'INSUFFICIENT_BALANCE')).toHaveLength(90);
  expect(world.takenOf(merchant)).toHaveLength(10);
  expect(await world.client.list(merchant)).toMatchObject({ meta: { total: 10 } });
});

test('twenty concurrent withdrawals succeed only up to the daily limit', async () => {
  const merchant = world.newMerchant({ dailyWithdrawalLimit: 7 * 15_000 + 14_999 }, 'production');

  const answers = await atOnce(20, (client, index) => client.create(merchant, newOrder(), `k-${index}`));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(answers.filter(({ error }) => error?.code === 'WITHDRAWAL_LIMIT_REACHED')).toHaveLength(13);
  expect(world.takenOf(merchant)).toHaveLength(7);
});

const ROUNDS = rounds(30);

test.each([
  ['PENDING', 15_000],
  ['REFUSED', 14_999],
])(`the scheduler and a retry agree that it is %s, ${ROUNDS} times`, async (status, balance) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const merchant = world.newMerchant({}, 'production');
    world.ledger.setBalance(merchant.merchantId, balance);
    const order = newOrder();
    world.ledger.nextFor(merchant.merchantId, error500);

    const first = await world.client.create(merchant, order, 'k');
    await sleep(round % 8);
    const [again] = await atOnce(3, (client) => client.create(merchant, order, 'k'));

    expect([first.status, first.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(['', 'REQUEST_IN_PROGRESS', 'INSUFFICIENT_BALANCE']).toContain(again?.error?.code ?? '');
    const last = await eventually(async () => {
      const answer = await world.client.create(merchant, order, 'k');
      expect(answer.status).toBe(status === 'PENDING' ? 201 : 422);
      return answer;
    });
    const [row, ...others] = await world.rowsOf(merchant);
    expect([row?.status, others]).toEqual([status, []]);
    if (status === 'PENDING') expect(idOf(last)).toBe(row?.id);
    expect(world.takenOf(merchant)).toEqual(status === 'PENDING' ? [row?.id] : []);
    expect(await endsOf(world, String(row?.id))).toEqual([]);
  }
});

test('a caller without a key and the scheduler agree in races', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const merchant = world.newMerchant({}, 'production');
    const { creating, release } = await world.createBlocked(merchant);
    const [begun] = await world.rowsOf(merchant);
    await Promise.all([world.makeDue(String(begun?.id)), sleep(round % 12).then(release)]);

    const answer = await creating;

    const [row, ...others] = await world.rowsOf(merchant);
    expect(others).toEqual([]);
    expect(world.takenOf(merchant)).toEqual([row?.id]);
    if (row?.status === 'PENDING') {
      expect([answer.status, idOf(answer)]).toEqual([201, row.id]);
      expect(await endsOf(world, row.id)).toEqual([]);
    } else {
      expect([row?.status, answer.status, answer.error?.code]).toEqual([
        'ABANDONED',
        503,
        'SERVICE_UNAVAILABLE',
      ]);
      expect(await endsOf(world, String(row?.id))).toMatchObject([
        { type: 'withdrawal.abandoned', sequence: 1 },
      ]);
      expect(await world.client.list(merchant)).toMatchObject({ data: [], meta: { total: 0 } });
    }
  }
});
