import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { systemClock } from '@plataforma/kernel';
import { type Delivery, eventually } from '@plataforma/testing';
import { claimedOf, delayAfter } from '@plataforma/work';
import { stateAfter } from '../src/domain/callback.ts';
import { payCharge } from '../src/operations/pay-charge.ts';
import { callbackRetries, dueCallbacks, recordOutcome } from '../src/store/callbacks.ts';
import { createCharge, ownBank, pay, startBank, truthOf } from './bank.ts';
import { pix, webhookPix } from './published-shapes.ts';

/** Milliseconds after which the test is sure that no callback arrives: longer than the poll interval. */
const A_POLL_OR_TWO_MS = 800;

const bank = ownBank();

const isAbout = (txid: string) => (delivery: Delivery) => delivery.body.toString().includes(txid);

function deliveriesOf(txid: string) {
  return bank.receiver.deliveries.filter(isAbout(txid));
}

function eventuallyDelivered(txid: string, attempts: number) {
  return eventually(async () => {
    const { payments } = await truthOf(bank, txid);
    expect(payments.map(({ callback }) => callback)).toEqual([{ state: 'DELIVERED', attempts }]);
  });
}

describe('a callback', () => {
  test('contains the payment as GET /v2/pix returns it', async () => {
    const { txid } = await createCharge(bank);
    const [payment] = await pay(bank, txid);

    const delivery = await bank.receiver.waitFor(isAbout(txid));

    const found = await bank.call('GET', `/v2/pix/${payment?.endToEndId}`);
    expect(webhookPix.parse(JSON.parse(delivery.body.toString()))).toEqual({ pix: [pix.parse(found.body)] });
    expect(delivery.path).toBe('/callbacks/pix?hmac=abc');
    expect(delivery.headers['content-type']).toBe('application/json');
    await eventuallyDelivered(txid, 1);
  });

  test('is sent at once, without a poll', async () => {
    const unpolled = await startBank({}, { callbackPollMs: 3_600_000 });
    for (let round = 0; round < 5; round += 1) {
      const { txid } = await createCharge(unpolled);
      await pay(unpolled, txid);
      await unpolled.receiver.waitFor(isAbout(txid));
    }
    await unpolled.close();
  });

  test('is not sent for a payment with notify: false', async () => {
    const { txid } = await createCharge(bank);
    await pay(bank, txid, { notify: false });
    await sleep(A_POLL_OR_TWO_MS);

    expect(deliveriesOf(txid)).toEqual([]);
  });

  test('is sent once for each of several payments', async () => {
    const { txid } = await createCharge(bank);
    const payments = await pay(bank, txid, { times: 45 });

    await eventually(() => expect(deliveriesOf(txid)).toHaveLength(45));

    const receivedIds = deliveriesOf(txid).map(
      ({ body }) => webhookPix.parse(JSON.parse(body.toString())).pix[0]?.endToEndId,
    );
    expect(receivedIds.sort()).toEqual(payments.map(({ endToEndId }) => endToEndId).sort());
  });

  test('repeats unchanged a second after the receiver’s 500', async () => {
    const { txid } = await createCharge(bank);
    bank.receiver.answer((delivery) => ({ status: deliveriesOf(txid).at(0) === delivery ? 500 : 200 }));
    await pay(bank, txid);

    await eventuallyDelivered(txid, 2);

    const [first, second] = deliveriesOf(txid);
    expect(second?.body).toEqual(first?.body);
    const delay = (second?.receivedAt ?? 0) - (first?.receivedAt ?? 0);
    expect(delay).toBeGreaterThanOrEqual(1_000);
  });

  test('does not follow a redirect and tries again', async () => {
    const { txid } = await createCharge(bank);
    const elsewhere = { location: `${bank.receiver.url}/elsewhere` };
    bank.receiver.answer((delivery) =>
      deliveriesOf(txid).at(0) === delivery ? { status: 307, headers: elsewhere } : { status: 204 },
    );
    await pay(bank, txid);

    await eventuallyDelivered(txid, 2);

    expect(bank.receiver.deliveries.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  test('waits while twenty others are in progress', async () => {
    const { txid } = await createCharge(bank);
    const { promise, resolve } = Promise.withResolvers<{ status: number }>();
    bank.receiver.answer(() => promise);
    await pay(bank, txid, { times: 21 });

    await eventually(() => expect(deliveriesOf(txid)).toHaveLength(20));
    await sleep(A_POLL_OR_TWO_MS);
    expect(deliveriesOf(txid)).toHaveLength(20);
    resolve({ status: 200 });
    await eventually(() => expect(deliveriesOf(txid)).toHaveLength(21));
  });
});

describe('callback retries', () => {
  test('wait up to thirty seconds', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 99].map((attempts) => delayAfter(callbackRetries, attempts));

    expect(delays).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000));
  });

  test('end after the hundredth attempt', () => {
    expect([1, 99, 100].map((attempts) => stateAfter({ attempts, isReceived: false }))).toEqual([
      'PENDING',
      'PENDING',
      'ABANDONED',
    ]);
    expect(stateAfter({ attempts: 100, isReceived: true })).toBe('DELIVERED');
  });
});

async function claimDue(database: Database, leaseMs: number) {
  const common = { environment: 'sandbox' as const, now: new Date(), limit: 20, except: [] };
  const rows = await dueCallbacks.claimDue(database, { ...common, leaseMs });
  return rows.map((row) => claimedOf(row, systemClock));
}

const STATES = 'SELECT state, attempts FROM callbacks';

/** Returns a stopped provider whose database contains `times` callbacks that are due. */
async function stoppedBank(times: number) {
  const bank = await startBank();
  const { txid } = await createCharge(bank);
  await bank.stop();
  const payment = { txid, orderId: null, amount: undefined, times, isNotified: true, now: new Date() };
  await payCharge(bank.database, payment);
  return bank;
}

test('a sender whose lease expired records nothing', async () => {
  const bank = await stoppedBank(1);
  const { database } = bank;

  const [late] = await claimDue(database, 0);
  const [current] = await claimDue(database, 60_000);
  const others = await claimDue(database, 60_000);

  if (!late || !current) throw new Error('nothing was claimed');
  expect([late.item.attempts, current.item.attempts, others.length]).toEqual([1, 2, 0]);
  expect(await recordOutcome(database, late, 'DELIVERED')).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'PENDING', attempts: 2 }]);
  expect(await recordOutcome(database, current, 'DELIVERED')).toBe(true);
  expect(await recordOutcome(database, current, 'PENDING')).toBe(false);
  expect(await database.query(STATES)).toEqual([{ state: 'DELIVERED', attempts: 2 }]);
  await bank.close();
});

test('parallel senders never lease the same callback', async () => {
  const bank = await stoppedBank(100);

  const claims = await Promise.all(Array.from({ length: 8 }, () => claimDue(bank.database, 60_000)));

  const claimed = claims.flat().map(({ item }) => item.subject);
  expect(new Set(claimed).size).toBe(claimed.length);
  await bank.close();
});
