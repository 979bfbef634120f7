import { afterEach, describe, expect, test } from '@jest/globals';
import { type Behaviour, blocking, doneThenSilence, eventually, silence } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { endsOf } from '../support/ends-of.ts';
import { startForgetfulDatabase } from '../support/forgetful-database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(startWorld);
let doomed: ServiceProcess;

afterEach(() => doomed.kill());

/**
 * The callers of the test. The first can repeat its request with an idempotency key, and the second with an
 * externalId. The third cannot repeat its request.
 */
const callers = [
  { what: 'a key', changes: {}, key: 'folha-1', status: 'PENDING' },
  { what: 'an externalId', changes: { externalId: 'folha-1' }, key: undefined, status: 'PENDING' },
  { what: 'neither', changes: {}, key: undefined, status: 'ABANDONED' },
];

describe('a killed process', () => {
  test.each<[string, Behaviour]>([
    ['before the ledger’s debit', silence],
    ['after the ledger’s debit', doneThenSilence],
  ])('%s leaves a withdrawal that another process finishes or undoes', async (_what, fault) => {
    doomed = await startServiceProcess(world.env);
    const orders = callers.map((caller) => ({
      ...caller,
      merchant: world.newMerchant({}, 'production'),
      order: newOrder(caller.changes),
    }));
    const met = orders.map(({ merchant }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      world.ledger.nextFor(merchant.merchantId, async (perform) => {
        const reply = await fault(perform);
        resolve();
        return reply;
      });
      return promise;
    });
    const working = orders.map(({ merchant, order, key }) =>
      doomed.client.create(merchant, order, key).catch(() => 'the connection broke'),
    );
    await Promise.all(met);
    await doomed.kill();
    const outcomes = await Promise.all(working);
    // Select the requests whose connection broke. On a busy machine the process may complete some requests
    // before it is killed.
    const cutOff = orders.filter((_, index) => outcomes[index] === 'the connection broke');
    expect(cutOff).not.toEqual([]);

    for (const { merchant, order, key, status } of cutOff) {
      await eventually(async () => expect(await world.rowsOf(merchant)).toMatchObject([{ status }]));
      const [row] = await world.rowsOf(merchant);
      const again = await world.client.create(merchant, order, key);
      const isNew = status === 'ABANDONED';
      expect(again.status).toBe(isNew || key ? 201 : 200);
      if (!isNew) expect(again.data).toMatchObject({ id: row?.id });
      expect(await world.rowsOf(merchant)).toHaveLength(isNew ? 2 : 1);
      const isTaken = !isNew || fault === doneThenSilence;
      expect(world.takenOf(merchant)).toHaveLength((isTaken ? 1 : 0) + (isNew ? 1 : 0));
      const events = (await endsOf(world, String(row?.id))).map(({ type }) => type);
      expect(events).toEqual(isNew ? ['withdrawal.abandoned'] : []);
    }
  });

  test('before its response leaves an answer for the same request', async () => {
    const database = await startForgetfulDatabase(world.env.DATABASE_URL ?? '');
    doomed = await startServiceProcess({ ...world.env, DATABASE_URL: database.url });
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder();
    const blocked = blocking();
    world.ledger.nextFor(merchant.merchantId, blocked.behaviour);
    const creating = doomed.client.create(merchant, order, 'k').catch(() => 'the connection broke');
    await blocked.arrived;
    const [row] = await world.rowsOf(merchant);
    const committed = database.loseCommitOf(String(row?.id), 'held');
    blocked.release();
    await committed;
    await doomed.kill();
    await database.stop();

    expect(await creating).toBe('the connection broke');
    const again = await world.client.create(merchant, order, 'k');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.data).toMatchObject({ id: row?.id, status: 'PENDING' });
    expect(world.takenOf(merchant)).toEqual([row?.id]);
  });
});
