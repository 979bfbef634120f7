import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { environments } from '@plataforma/kernel';
import { eventually, startPrivatePostgres } from '@plataforma/testing';
import { scratchFolders } from '@plataforma/testing/scratch';
import { verifyBooks } from '../src/store/verify-books.ts';
import { brokenPromises, entryCount } from './support/books.ts';
import { paid, withdrawalOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { seeded } from './support/random.ts';
import { startWorld, type World } from './support/world.ts';

const scratchDir = scratchFolders();
const worlds: World[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

async function started(databaseUrl?: string): Promise<World> {
  const world = await startWorld(databaseUrl ? { databaseUrl } : {});
  worlds.push(world);
  return world;
}

const random = seeded();
const tenants = Array.from({ length: 20 }, () => newTenant()).flatMap((tenant) =>
  environments.map((environment) => ({ ...tenant, environment })),
);

/**
 * Returns payments of random merchants and environments. The fee is zero, the whole amount or a part of it.
 */
function payments(count: number) {
  return Array.from({ length: count }, () => {
    const amount = 100 + random.below(100_000);
    const feeAmount = random.oneOf([0, amount, random.below(amount)]);
    return paid(random.oneOf(tenants), { amount, feeAmount });
  });
}

/** Publishes the events in groups of random size, as a busy service does. */
async function announceAll(world: World, events: ReturnType<typeof payments>): Promise<void> {
  for (let rest = events; rest.length > 0; ) {
    const portion = 1 + random.below(60);
    await world.emitter.announce(...rest.slice(0, portion));
    rest = rest.slice(portion);
  }
}

function spawnReplica(world: World) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  return spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...world.env },
    stdio: 'ignore',
  });
}

async function expectPostedOnce(world: World, events: ReturnType<typeof payments>): Promise<void> {
  await eventually(async () => expect(await entryCount(world.database)).toBe(events.length));
  expect(await brokenPromises(world.database)).toEqual([]);
  const [earned] = await world.database.query('SELECT sum(total_earned_cents)::bigint AS total FROM wallets');
  expect(earned?.total).toBe(events.reduce((sum, { data }) => sum + data.amount, 0));
  expect(await world.deadLetters()).toEqual([]);
}

describe(`the books under load (SEED=${random.seed})`, () => {
  test('stay correct after 1,000 payments, shuffled and partly repeated', async () => {
    const world = await started();
    const events = payments(1_000);
    const repeated = events.filter(() => random.below(5) === 0);

    await announceAll(world, random.shuffled([...events, ...repeated]));
    await world.emitter.publishAgain();

    await expectPostedOnce(world, events);
    const { merchantId } = tenants[0] ?? newTenant();
    for (const environment of environments) {
      const own = events.filter(
        (event) => event.merchantId === merchantId && event.environment === environment,
      );
      expect(await world.balanceOf({ merchantId, environment })).toMatchObject({
        availableBalance: own.reduce((sum, { data }) => sum + data.netAmount, 0),
      });
    }
  });

  test('stay correct while two replicas race for the same merchants', async () => {
    const world = await started();
    await world.startReplica();
    const events = payments(600);

    await announceAll(world, events);
    await world.emitter.publishAgain();

    await expectPostedOnce(world, events);
  });

  test('stay correct after a replica dies and its messages return', async () => {
    const world = await started();
    await world.first.stop();
    const doomed = spawnReplica(world);
    const events = payments(2_000);
    await announceAll(world, events);
    await eventually(async () => expect(await entryCount(world.database)).toBeGreaterThan(0), {
      intervalMs: 5,
    });

    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    await world.startReplica();

    await expectPostedOnce(world, events);
  });

  test('stay correct with repeated withdrawal events and a dead replica', async () => {
    const world = await started();
    const doomed = spawnReplica(world);
    await announceAll(world, payments(500));
    await eventually(async () => expect(await entryCount(world.database)).toBeGreaterThan(100));
    const withdrawals = Array.from({ length: 150 }, () =>
      withdrawalOf(random.oneOf(tenants.slice(0, 6)), { netAmount: 1 + random.below(60_000) }),
    );

    const answers = await Promise.all(
      withdrawals.map(async (withdrawal) => ({ withdrawal, ...(await world.withdraw(withdrawal.order)) })),
    );
    const done = answers.filter(({ status }) => status === 200).map(({ withdrawal }) => withdrawal);
    const ends = done.map(
      (it) => it[random.oneOf(['completed', 'failed', 'rejected', 'abandoned'] as const)],
    );
    await world.emitter.announce(...ends);
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    await world.emitter.publishAgain();

    expect(done).not.toEqual([]);
    const total = 500 + 2 * done.length;
    await eventually(async () => expect(await entryCount(world.database)).toBe(total));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(withdrawals.length - done.length);
    expect(await brokenPromises(world.database)).toEqual([]);
    expect((await verifyBooks(world.database, { after: null, limit: 100_000 })).differences).toEqual([]);
    expect(await world.deadLetters()).toEqual([]);
  });

  test('stay correct after the database is killed and restarted', async () => {
    const server = await startPrivatePostgres(scratchDir());
    const world = await started(server.url);
    const [before, meanwhile] = [payments(100), payments(200)];
    await announceAll(world, before);
    await eventually(async () => expect(await entryCount(world.database)).toBeGreaterThan(0));

    await server.kill();
    await announceAll(world, meanwhile);
    await eventually(async () => expect((await fetch(`${world.first.url}/readyz`)).status).toBe(503));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await server.start();

    await expectPostedOnce(world, [...before, ...meanwhile]);
    await world.stop();
    worlds.pop();
    await server.stop();
  });
});
