import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Announcement, accessOf, eventExchange } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { eventually, prepareRabbitmq, startPrivateBroker, urlOfBrokerUser } from '@plataforma/testing';
import { announce, startRelay } from '../src/index.ts';
import { countOf, log, messagesIn, openTestDatabase, paidCharge, signer } from './fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function refusedRefund(): Announcement {
  const id = newId();
  const about = { id, chargeId: newId(), paymentMethod: 'PIX', amount: 100 } as const;
  const data = { ...about, refusedAt: new Date().toISOString() };
  return {
    type: 'refund.refused',
    ...{ merchantId: newId(), environment: 'sandbox', aggregateId: id, sequence: 1, data },
  };
}

test('a permission that is taken away while a relay runs stops one type, until it is given back', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plataforma-permissions-'));
  const broker = await startPrivateBroker(dir);
  await prepareRabbitmq(broker.url);
  const database = await openTestDatabase();
  const brokerUrl = urlOfBrokerUser('charges', broker.url);
  const relay = startRelay({ signer, database, brokerUrl, name: 'charges', log, pollMs: 50 });
  closing.push(
    () => rm(dir, { recursive: true, force: true }),
    () => broker.stop(),
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
