import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Announcement, accessOf, eventExchange } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import {
  claimVhost,
  eventually,
  type PrivateBroker,
  type PrivateServer,
  prepareRabbitmq,
  startPrivateBroker,
  startPrivatePostgres,
  urlOfBrokerUser,
} from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { scratchFolders } from '@plataforma/testing/scratch';
import { listen, startRelay } from '../src/index.ts';
import {
  countBecomes,
  countOf,
  log,
  messagesIn,
  openTestDatabase,
  paidCharge,
  recordEffects,
  signaturePolicy,
  signer,
} from './fixture.ts';

const scratchDir = scratchFolders();
const atTheEnd = closingAfterEach();

function refusedRefund(): Announcement {
  const id = newId();
  const about = { id, chargeId: newId(), paymentMethod: 'PIX', amount: 100 } as const;
  const data = { ...about, refusedAt: new Date().toISOString() };
  return {
    type: 'refund.refused',
    ...{ merchantId: newId(), environment: 'sandbox', aggregateId: id, sequence: 1, data },
  };
}

describe('a broker', () => {
  let broker: PrivateBroker;

  beforeAll(async () => {
    broker = await startPrivateBroker(scratchDir());
    await prepareRabbitmq(broker.url);
  });
  afterAll(() => broker?.stop());

  test('stops one type until it restores the permission', async () => {
    const database = await openTestDatabase();
    const brokerUrl = urlOfBrokerUser('charges', broker.url);
    const relay = startRelay({ signer, database, brokerUrl, name: 'charges', log, pollMs: 50 });
    atTheEnd(
      () => database.close(),
      () => relay.stop(),
    );
    const waiting = () => countOf(database, 'outbox WHERE published_at IS NULL');
    const [access] = accessOf('charges').topics.filter(({ exchange }) => exchange === eventExchange);
    const allow = (write = '') =>
      broker.control('set_topic_permissions', '-p', '/', 'charges', eventExchange, write, access?.read ?? '');
    await eventually(() => expect(relay.isConnected()).toBe(true));
    await database.transaction((tx) => announce(tx, refusedRefund()));
    await eventually(async () => expect(await waiting()).toBe(0));

    await allow('^refund\\.refused$');
    for (let n = 0; n < 5; n += 1) {
      await database.transaction((tx) => announce(tx, paidCharge(), refusedRefund()));
      await eventually(async () => expect(await waiting()).toBe(n + 1));
    }
    expect(await countOf(database, "outbox WHERE published_at IS NULL AND type = 'charge.paid'")).toBe(5);

    await allow(access?.write);
    await eventually(async () => expect(await waiting()).toBe(0));
    expect(new Set(await messagesIn(broker.url, 'ledger.events')).size).toBe(11);
  }, 600_000);

  test('loses nothing when killed; relay and listener reconnect', async () => {
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
    const listener = listen({ ...reading, signaturePolicy, apply: recordEffects });
    atTheEnd(
      () => source.close(),
      () => target.close(),
      () => relay.stop(),
      () => listener.stop(),
    );
    await eventually(() => expect(relay.isConnected() && listener.isConnected()).toBe(true));
    // The test waits, because RabbitMQ 3.10 loses a quorum queue that was declared less than three seconds
    // before the kill.
    await sleep(5_000);
    const emit = () => source.transaction((tx) => announce(tx, ...Array.from({ length: 20 }, paidCharge)));

    for (let n = 0; n < 10; n += 1) await emit();
    await broker.kill();
    for (let n = 0; n < 10; n += 1) await emit();
    await broker.start();
    for (let n = 0; n < 10; n += 1) await emit();

    await countBecomes(target, 'effects', 600);
    await countBecomes(source, 'outbox WHERE published_at IS NULL', 0);
    expect(await countOf(target, '(SELECT DISTINCT event_id FROM effects) AS distinct_effects')).toBe(600);
  });
});

describe('a database server', () => {
  let postgres: PrivateServer;

  beforeAll(async () => {
    postgres = await startPrivatePostgres(scratchDir());
  });
  afterAll(() => postgres?.stop());

  test('makes no dead letters while it is down', async () => {
    const vhost = await claimVhost();
    const source = await openTestDatabase();
    const target = await openTestDatabase(postgres.url);
    const relay = startRelay({ signer, database: source, brokerUrl: vhost, name: 'test', log, pollMs: 100 });
    const listener = listen({
      subscriber: 'ledger',
      signaturePolicy,
      database: target,
      brokerUrl: vhost,
      log,
      apply: recordEffects,
    });
    atTheEnd(
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

    await countBecomes(target, 'effects', 140);
    expect(await countOf(target, 'dead_letters')).toBe(0);
  });

  test('lets the relay publish all commits after a restart', async () => {
    const vhost = await claimVhost();
    const source = await openTestDatabase(postgres.url);
    const relay = startRelay({ signer, database: source, brokerUrl: vhost, name: 'test', log, pollMs: 100 });
    atTheEnd(
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

    await countBecomes(source, 'outbox WHERE published_at IS NULL', 0);
    const ids = (await messagesIn(vhost, 'ledger.events')).map((body) => JSON.parse(body).id);
    expect(new Set(ids).size).toBeGreaterThanOrEqual(committed);
    expect(committed).toBeGreaterThanOrEqual(25);
  });
});
