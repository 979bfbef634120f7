import { describe, expect, test } from '@jest/globals';
import { merchantSnapshot } from '@plataforma/events';
import { announce } from '@plataforma/tables';
import { claimVhost, eventually } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { listen, startRelay } from '../src/index.ts';
import {
  countBecomes,
  countOf,
  log,
  messagesIn,
  onChannel,
  openReplica,
  openTestDatabase,
  paidCharge,
  recordEffects,
  signaturePolicy,
  signer,
  startWire,
} from './fixture.ts';

const atTheEnd = closingAfterEach();

async function emitter(brokerUrl: string, { pollMs = 60_000 }: { pollMs?: number } = {}) {
  const database = await openTestDatabase();
  const relay = startRelay({ signer, database, brokerUrl, name: 'test', log, pollMs });
  atTheEnd(
    () => database.close(),
    () => relay.stop(),
  );
  return { database, relay };
}

describe('the relay', () => {
  test('publishes committed events at once and marks them', async () => {
    const vhost = await claimVhost();
    const { database, relay } = await emitter(vhost);
    await eventually(() => expect(relay.isConnected()).toBe(true));

    await database.transaction((tx) => announce(tx, paidCharge(), paidCharge()));

    await countBecomes(database, 'outbox WHERE published_at IS NOT NULL', 2);
    expect(await messagesIn(vhost, 'ledger.events')).toHaveLength(2);
    expect(await messagesIn(vhost, 'webhooks.events')).toHaveLength(2);
  });

  test('publishes nothing of a transaction that rolled back', async () => {
    const vhost = await claimVhost();
    const { database, relay } = await emitter(vhost);
    await eventually(() => expect(relay.isConnected()).toBe(true));

    const failed = database.transaction(async (tx) => {
      await announce(tx, paidCharge());
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await database.transaction((tx) => announce(tx, paidCharge()));

    await countBecomes(database, 'outbox WHERE published_at IS NOT NULL', 1);
    expect(await messagesIn(vhost, 'ledger.events')).toHaveLength(1);
  });

  test('publishes events that were waiting before it started', async () => {
    const vhost = await claimVhost();
    const database = await openTestDatabase();
    atTheEnd(() => database.close());
    const many = Array.from({ length: 1_200 }, paidCharge);
    await database.transaction((tx) => announce(tx, ...many));

    const relay = startRelay({ signer, database, brokerUrl: vhost, name: 'test', log, pollMs: 60_000 });
    atTheEnd(() => relay.stop());

    await countBecomes(database, 'outbox WHERE published_at IS NULL', 0);
    expect(await messagesIn(vhost, 'ledger.events')).toHaveLength(1_200);
  });

  test('publishes each event once beside a second relay', async () => {
    const vhost = await claimVhost();
    const database = await openTestDatabase();
    atTheEnd(() => database.close());
    for (const name of ['one', 'two']) {
      const relay = startRelay({ signer, database, brokerUrl: vhost, name, log, pollMs: 10 });
      atTheEnd(() => relay.stop());
    }

    const writers = Array.from({ length: 40 }, async () => {
      for (let n = 0; n < 10; n += 1)
        await database.transaction((tx) => announce(tx, paidCharge(), paidCharge()));
    });
    await Promise.all(writers);

    await countBecomes(database, 'outbox WHERE published_at IS NULL', 0);
    const ids = (await messagesIn(vhost, 'ledger.events')).map((body) => JSON.parse(body).id);
    expect(ids).toHaveLength(800);
    expect(new Set(ids).size).toBe(800);
  });

  test('keeps an unroutable event, publishes the others, and retries', async () => {
    const vhost = await claimVhost();
    const { database, relay } = await emitter(vhost, { pollMs: 50 });
    await eventually(() => expect(relay.isConnected()).toBe(true));
    await onChannel(vhost, (channel) =>
      channel.unbindQueue('charges.events', 'payments.events', 'merchant.updated'),
    );
    await onChannel(vhost, (channel) =>
      channel.unbindQueue('withdrawals.events', 'payments.events', 'merchant.updated'),
    );
    const merchantId = paidCharge().merchantId;
    const data = merchantSnapshot.parse({
      id: merchantId,
      version: 1,
      name: 'Loja',
      status: 'PENDING',
      checkoutColor: '#000000',
      pixFeeBps: 0,
      pixFeeFixed: 0,
    });
    const unroutable = { merchantId, environment: null, aggregateId: merchantId, sequence: 1, data };

    await database.transaction((tx) =>
      announce(tx, { ...unroutable, type: 'merchant.updated' }, paidCharge()),
    );

    await countBecomes(database, 'outbox WHERE attempts > 0', 1);
    expect(await countOf(database, "outbox WHERE published_at IS NOT NULL AND type = 'charge.paid'")).toBe(1);
    expect(await countOf(database, 'outbox WHERE published_at IS NULL')).toBe(1);

    await onChannel(vhost, (channel) =>
      channel.bindQueue('charges.events', 'payments.events', 'merchant.updated'),
    );
    await countBecomes(database, 'outbox WHERE published_at IS NULL', 0);
    expect(await messagesIn(vhost, 'charges.events')).toHaveLength(1);
  });

  test('leaves its work to a replica when the broker is unreachable', async () => {
    const vhost = await claimVhost();
    const wire = await startWire(vhost);
    wire.setDead(true);
    const here = await openTestDatabase();
    const there = openReplica(here);
    const cutOff = startRelay({
      database: here,
      signer,
      brokerUrl: wire.url,
      name: 'cut off',
      log,
      pollMs: 60_000,
    });
    const healthy = startRelay({
      database: there,
      signer,
      brokerUrl: vhost,
      name: 'healthy',
      log,
      pollMs: 60_000,
    });
    atTheEnd(
      wire.stop,
      () => here.close(),
      () => there.close(),
      () => cutOff.stop(),
      () => healthy.stop(),
    );
    await eventually(() => expect(healthy.isConnected()).toBe(true));
    // The relay's LISTEN connection may still be opening. When it is open, the relay finds events that were
    // stored earlier.
    await here.transaction((tx) => announce(tx, paidCharge()));
    await countBecomes(here, 'outbox WHERE published_at IS NOT NULL', 1);

    await here.transaction((tx) => announce(tx, paidCharge()));

    await countBecomes(here, 'outbox WHERE published_at IS NOT NULL', 2);
    expect(cutOff.isConnected()).toBe(false);
  });

  test('publishes an unconfirmed event again; the inbox drops the copy', async () => {
    const vhost = await claimVhost();
    const wire = await startWire(vhost);
    const { database, relay } = await emitter(wire.url, { pollMs: 100 });
    const reader = await openTestDatabase();
    const listener = listen({
      subscriber: 'ledger',
      signaturePolicy,
      database: reader,
      brokerUrl: vhost,
      log,
      apply: recordEffects,
    });
    atTheEnd(
      wire.stop,
      () => reader.close(),
      () => listener.stop(),
    );
    await eventually(() => expect(relay.isConnected() && listener.isConnected()).toBe(true));
    wire.setMute(true);

    await database.transaction((tx) => announce(tx, paidCharge()));
    await countBecomes(reader, 'effects', 1);
    expect(await countOf(database, 'outbox WHERE published_at IS NULL')).toBe(1);
    wire.setMute(false);
    wire.cut();

    await countBecomes(database, 'outbox WHERE published_at IS NULL', 0);
    const copies = await eventually(async () => {
      expect(await messagesIn(vhost, 'webhooks.events')).toHaveLength(2);
      return true;
    }).catch(() => false);
    expect(copies).toBe(true);
    expect(await countOf(reader, 'effects')).toBe(1);
  });

  test('loses nothing while its connection breaks repeatedly', async () => {
    const vhost = await claimVhost();
    const wire = await startWire(vhost);
    const { database } = await emitter(wire.url, { pollMs: 50 });
    atTheEnd(wire.stop);
    const cutting = setInterval(wire.cut, 150);
    atTheEnd(() => clearInterval(cutting));

    for (let n = 0; n < 60; n += 1) {
      await database.transaction((tx) => announce(tx, ...Array.from({ length: 10 }, paidCharge)));
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    clearInterval(cutting);

    await countBecomes(database, 'outbox WHERE published_at IS NULL', 0);
    const ids = (await messagesIn(vhost, 'ledger.events')).map((body) => JSON.parse(body).id);
    expect(new Set(ids).size).toBe(600);
  });
});
