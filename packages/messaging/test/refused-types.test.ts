import { expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { type Announcement, merchantSnapshot } from '@plataforma/events';
import { announce } from '@plataforma/tables';
import { claimVhost, eventually, urlOfBrokerUser } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { startRelay } from '../src/index.ts';
import { countBecomes, countOf, log, messagesIn, openTestDatabase, paidCharge, signer } from './fixture.ts';

const atTheEnd = closingAfterEach();

/** Returns an event of a type that the broker does not allow the service charges to publish. */
function updatedMerchant(): Announcement {
  const { merchantId } = paidCharge();
  const about = { name: 'Loja', status: 'PENDING', checkoutColor: '#000000', pixFeeBps: 0, pixFeeFixed: 0 };
  const data = merchantSnapshot.parse({ id: merchantId, version: 1, ...about });
  return {
    type: 'merchant.updated',
    ...{ merchantId, environment: null, aggregateId: merchantId, sequence: 1, data },
  };
}

async function startRelayAt(brokerUrl: string, database: Database) {
  const relay = startRelay({ signer, database, brokerUrl, name: 'charges', log, pollMs: 20 });
  atTheEnd(() => relay.stop());
  await eventually(() => expect(relay.isConnected()).toBe(true));
  return relay;
}

const published = (database: Database, what: string) =>
  countOf(database, `outbox WHERE published_at IS NOT NULL AND ${what}`);

test('a type refused by the broker delays only its own aggregates', async () => {
  const vhost = await claimVhost();
  const database = await openTestDatabase();
  atTheEnd(() => database.close());
  const refused = updatedMerchant();
  const behind = { ...paidCharge(), aggregateId: refused.aggregateId };
  const relay = await startRelayAt(urlOfBrokerUser('charges', vhost), database);
  const others = Array.from({ length: 20 }, paidCharge);

  await database.transaction((tx) => announce(tx, paidCharge(), refused, behind, ...others));
  await eventually(async () => expect(await published(database, 'true')).toBe(21));
  await database.transaction((tx) => announce(tx, paidCharge(), { ...behind, sequence: 2 }));
  await eventually(async () => expect(await published(database, 'true')).toBe(22));

  expect(await countOf(database, "outbox WHERE published_at IS NULL AND type = 'merchant.updated'")).toBe(1);
  expect(await countOf(database, "outbox WHERE attempts > 0 AND type <> 'merchant.updated'")).toBe(0);
  const shown = (await Promise.all(relay.gauges.map((read) => read()))).flat();
  expect(shown.filter(({ metric: { name } }) => name === 'plataforma_outbox_not_taken')).toMatchObject([
    { labels: { type: 'merchant.updated' }, value: 1 },
  ]);

  // The refused event has had thousands of attempts, and still must not delay other events.
  await database.query('UPDATE outbox SET attempts = 5000, available_at = now() WHERE published_at IS NULL');
  await countBecomes(database, 'outbox WHERE attempts > 5000', 1);
  await database.transaction((tx) => announce(tx, paidCharge()));
  await eventually(async () => expect(await published(database, 'true')).toBe(23));

  await relay.stop();
  await messagesIn(vhost, 'ledger.events');
  await database.query('UPDATE outbox SET available_at = now() WHERE published_at IS NULL');
  await startRelayAt(vhost, database);
  await countBecomes(database, 'outbox WHERE published_at IS NULL', 0);
  expect(await messagesIn(vhost, 'charges.events')).toHaveLength(1);
  const late = (await messagesIn(vhost, 'ledger.events')).map((body) => JSON.parse(body).sequence);
  expect(late).toEqual([1, 2]);
});

test('an event refused by its exchange waits; the relay stays connected', async () => {
  const vhost = await claimVhost();
  const database = await openTestDatabase();
  atTheEnd(() => database.close());
  const relay = await startRelayAt(urlOfBrokerUser('web', vhost), database);

  await database.transaction((tx) => announce(tx, paidCharge(), updatedMerchant()));
  await countBecomes(database, 'outbox WHERE attempts > 0', 2);

  expect(await published(database, 'true')).toBe(0);
  await eventually(() => expect(relay.isConnected()).toBe(true));
});
