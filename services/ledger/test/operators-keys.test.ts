import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { beforeFile } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { operatorHeader } from './support/identity.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);
const other = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);
const why = { reason: 'court order', description: 'a kindness' };

/** Returns a function that sends the same operator's change with the same idempotency key at each call. */
function repeatable(route: string, body: object, key: string = newId()) {
  return async ({ url }: { url: string } = world.first) => {
    const answer = await fetch(`${url}/v1/admin/ledger/${route}`, {
      method: 'POST',
      headers: { ...operatorHeader(), 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ ...why, ...body }),
    });
    const isReplay = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, isReplay, text: await answer.text() };
  };
}

const auditOf = (merchantId: string) =>
  world.database.query('SELECT action FROM audit_log WHERE subject_id = $1', [merchantId]);

describe('a wallet change with an idempotency key', () => {
  test.each([
    ['blocks', 100, { blockedBalance: 400 }],
    ['unblocks', 100, { blockedBalance: 200 }],
    ['adjustments', -100, { availableBalance: 2_075 }],
  ])('by %s is done once and gets the same response', async (route, amount, balance) => {
    const tenant = await merchantIn(world);
    await repeatable('blocks', { ...tenant, amount: 300 })();
    const ask = repeatable(route, { ...tenant, amount });
    const first = await ask();

    const again = await ask(other);

    expect([first.status, first.isReplay]).toEqual([201, false]);
    expect(again).toEqual({ ...first, isReplay: true });
    expect(await world.balanceOf(tenant)).toMatchObject(balance);
    expect(await auditOf(tenant.merchantId)).toHaveLength(2);
  });

  test('refused for its balance succeeds later with enough balance', async () => {
    const tenant = await merchantIn(world);
    const ask = repeatable('blocks', { ...tenant, amount: 3_000 });
    const short = await ask();
    await repeatable('adjustments', { ...tenant, amount: 1_000 })();

    const answer = await ask();

    expect([short.status, answer.status, answer.isReplay]).toEqual([422, 201, false]);
  });

  test('and an id repeats its response under another key', async () => {
    const tenant = await merchantIn(world);
    const body = { ...tenant, id: newId(), amount: 100 };
    const first = await repeatable('blocks', body)();

    const ask = repeatable('blocks', body);
    const answers = [await ask(), await ask(other)];

    expect(answers).toEqual([first, { ...first, isReplay: true }]);
    expect(await world.balanceOf(tenant)).toMatchObject({ blockedBalance: 100 });
  });

  test(`on two replicas takes the last money once: ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tenant = await merchantIn(world);
      const ask = repeatable('blocks', { ...tenant, amount: 2_475 });

      const times = round === 0 ? 20 : 6;
      const answers = await Promise.all(
        Array.from({ length: times }, (_, i) => ask(i % 2 ? world.first : other)),
      );

      const finished = answers.filter(({ text }) => !text.includes('"REQUEST_IN_PROGRESS"'));
      expect(finished.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
      expect(new Set(finished.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(finished[0]?.status).toBe(201);
      expect(await auditOf(tenant.merchantId)).toHaveLength(1);
    }
  });
});
