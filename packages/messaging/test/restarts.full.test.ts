import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  claimVhost,
  eventually,
  prepareRabbitmq,
  startPrivateBroker,
  startPrivatePostgres,
} from '@plataforma/testing';
import { announce, listen, startRelay } from '../src/index.ts';
import {
  countOf,
  inspector,
  log,
  messagesIn,
  openTestDatabase,
  paidCharge,
  recordEffects,
  signer,
} from './fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function ownFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plataforma-messaging-'));
  closing.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

describe('when servers go away', () => {
  test('a killed broker loses nothing, and nobody needs to be told that it is back', async () => {
    const broker = await startPrivateBroker(await ownFolder());
    await prepareRabbitmq(broker.url);
    closing.push(() => broker.stop());
    const source = await openTestDatabase();
    const target = await openTestDatabase();
    const relay = startRelay({
      database: source,
      signer,
      brokerUrl: broker.url,
      name: 'test',
      log,
      pollMs: 100,
    });
    const reading = { subscriber: 'ledger' as const, database: target, brokerUrl: broker.url, log };
    const listener = listen({ ...reading, inspector, apply: recordEffects });
    closing.push(
      () => source.close(),
      () => target.close(),
      () => relay.stop(),
      () => listener.stop(),
    );
    await eventually(() => expect(relay.isConnected() && listener.isConnected()).toBe(true));
    // RabbitMQ 3.10 forgets a quorum queue that was declared within three seconds before the kill.
    await sleep(5_000);
    const emit = () => source.transaction((tx) => announce(tx, ...Array.from({ length: 20 }, paidCharge)));

    for (let n = 0; n < 10; n += 1) await emit();
    await broker.kill();
    for (let n = 0; n < 10; n += 1) await emit();
    await broker.start();
    for (let n = 0; n < 10; n += 1) await emit();

    await eventually(async () => expect(await countOf(target, 'effects')).toBe(600));
    await eventually(async () => expect(await countOf(source, 'outbox WHERE published_at IS NULL')).toBe(0));
    expect(await countOf(target, '(SELECT DISTINCT event_id FROM effects) AS distinct_effects')).toBe(600);
  });

  test('a database that is away sends no message to the dead letters, and all are applied when it is back', async () => {
    const vhost = await claimVhost();
    const postgres = await startPrivatePostgres(await ownFolder());
    closing.push(() => postgres.stop());
    const source = await openTestDatabase();
    const target = await openTestDatabase(postgres.url);
    const relay = startRelay({ signer, database: source, brokerUrl: vhost, name: 'test', log, pollMs: 100 });
    const listener = listen({
      subscriber: 'ledger',
      inspector,
      database: target,
      brokerUrl: vhost,
      log,
      apply: recordEffects,
    });
    closing.push(
      () => source.close(),
      () => target.close(),
      () => relay.stop(),
      () => listener.stop(),
    );
    await eventually(() => expect(relay.isConnected() && listener.isConnected()).toBe(true));
    const emit = () => source.transaction((tx) => announce(tx, ...Array.from({ length: 20 }, paidCharge)));

    await emit();
    await postgres.kill();
    for (let n = 0; n < 5; n += 1) await emit();
    await sleep(1_000);
    await postgres.start();
    await emit();

    await eventually(async () => expect(await countOf(target, 'effects')).toBe(140));
    expect(await countOf(target, 'dead_letters')).toBe(0);
  });

  test('a relay whose database was restarted goes on with what was committed', async () => {
    const vhost = await claimVhost();
    const postgres = await startPrivatePostgres(await ownFolder());
    closing.push(() => postgres.stop());
    const source = await openTestDatabase(postgres.url);
    const relay = startRelay({ signer, database: source, brokerUrl: vhost, name: 'test', log, pollMs: 100 });
    closing.push(
      () => source.close(),
      () => relay.stop(),
    );
    await eventually(() => expect(relay.isConnected()).toBe(true));
    let committed = 0;

    for (let n = 0; n < 30; n += 1) {
      if (n === 10) await postgres.kill();
      if (n === 15) await postgres.start();
      const isCommitted = await source
        .transaction((tx) => announce(tx, paidCharge()))
        .then(
          () => true,
          () => false,
        );
      committed += isCommitted ? 1 : 0;
    }

    await eventually(async () => expect(await countOf(source, 'outbox WHERE published_at IS NULL')).toBe(0));
    const ids = (await messagesIn(vhost, 'ledger.events')).map((body) => JSON.parse(body).id);
    expect(new Set(ids).size).toBeGreaterThanOrEqual(committed);
    expect(committed).toBeGreaterThanOrEqual(25);
  });
});
