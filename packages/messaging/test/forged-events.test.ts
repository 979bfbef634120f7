import { describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { type Announcement, producerOf, readEvent, type Subscriber, subscribers } from '@plataforma/events';
import { newId, PLATFORM_ID } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import { claimVhost, eventually, rounds, signedHeaders, testSigners } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { createSignaturePolicy, listen, startRelay } from '../src/index.ts';
import { replayDeadLetter } from '../src/replay-dead-letter.ts';
import { countVerdicts } from './counted-verdicts.ts';
import {
  countBecomes,
  countOf,
  keys,
  log,
  type Message,
  onChannel,
  openTestDatabase,
  paidCharge,
  publish,
  recordEffects,
} from './fixture.ts';
import { forgeriesOf, kindsOfForgeries } from './forgeries.ts';

/** The number of forged events for each subscriber. The full suite sends ten thousand events. */
const FORGED = rounds(100) * 100;
const GENUINE = 300;

const atTheEnd = closingAfterEach();

function announcementFor(subscriber: Subscriber): Announcement {
  if (subscriber === 'gateway') return anchoredHead();
  return subscriber === 'ledger' || subscriber === 'webhooks' ? paidCharge() : changedMerchant();
}

function anchoredHead(): Announcement {
  const at = new Date().toISOString();
  return {
    ...{ type: 'chain.anchored.ledger', merchantId: PLATFORM_ID, environment: null },
    ...{ aggregateId: PLATFORM_ID, sequence: 1 },
    data: { chain: 'journal', epoch: 1, sequence: 1, hash: 'ab'.repeat(32), at },
  };
}

function changedMerchant(): Announcement {
  const id = newId();
  return {
    ...{ type: 'merchant.updated', merchantId: id, environment: null, aggregateId: id, sequence: 1 },
    data: {
      ...{ id, version: 1, name: 'Loja', status: 'APPROVED', checkoutColor: '#000000' },
      ...{ pixFeeBps: 0, pixFeeFixed: 0, cardFeeBps: 0, cardFeeFixed: 0, cardEnabled: false },
      ...{ maxInstallments: 1, settlementDays: 30, settlementCalendar: 'calendar', withdrawalFee: 0 },
      ...{ withdrawalFeeMode: 'AMOUNT', autoApproveLimit: 0, dailyWithdrawalLimit: null },
      destinationCooldownHours: 0,
      newPayeesPerDay: null,
      sandboxAheadMs: 0,
    },
  };
}

async function start(subscriber: Subscriber) {
  const [vhost, source, target] = [await claimVhost(), await openTestDatabase(), await openTestDatabase()];
  const signaturePolicy = createSignaturePolicy(subscriber, { mode: 'require', keys });
  const dependencies = { database: target, log, signaturePolicy, apply: recordEffects };
  const listener = listen({ ...dependencies, subscriber, brokerUrl: vhost });
  const producer = producerOf(announcementFor(subscriber).type);
  const signer = testSigners[producer];
  const relay = startRelay({ database: source, brokerUrl: vhost, name: producer, signer, log, pollMs: 50 });
  atTheEnd(
    () => source.close(),
    () => target.close(),
    () => listener.stop(),
    () => relay.stop(),
  );
  const isEmpty = () =>
    onChannel(vhost, async (channel) => {
      for (const queue of [`${subscriber}.events`, `${subscriber}.dead`])
        expect((await channel.checkQueue(queue)).messageCount).toBe(0);
    });
  return { vhost, source, target, isEmpty, dependencies };
}

/** Returns the events of an outbox as messages in random order, each with its genuine proof. */
async function repeatsOf(source: Database): Promise<Message[]> {
  const rows = await source.queryUnprepared<{ type: string; body: Buffer | string }>(
    'SELECT type, body FROM outbox ORDER BY random()',
    [],
  );
  return rows.map(({ type, body }) => ({
    ...{ key: type, body: Buffer.from(body) },
    headers: signedHeaders(Buffer.from(body)),
  }));
}

/**
 * The number of dead letters that the test replays. They include each kind of forgery; replaying all would
 * take too long.
 */
const REPLAYED = 10 * kindsOfForgeries.length;

describe.each(subscribers)('%s', (subscriber) => {
  test('applies genuine events once and forged events never', async () => {
    const { vhost, source, target, isEmpty, dependencies } = await start(subscriber);
    const counted = await countVerdicts(atTheEnd);
    const genuine = Array.from({ length: GENUINE }, () => announcementFor(subscriber));
    await source.transaction((tx) => announce(tx, ...genuine));
    await countBecomes(target, 'effects', GENUINE);
    const repeats = await repeatsOf(source);
    const [first] = repeats;
    if (!first) throw new Error('nothing was announced');
    const forged = forgeriesOf(readEvent(Buffer.from(first.body)), FORGED);

    await Promise.all([
      publish(vhost, ...forged.slice(0, FORGED / 2)),
      publish(vhost, ...repeats),
      source.query('UPDATE outbox SET published_at = NULL WHERE position % 2 = 0'),
      publish(vhost, ...forged.slice(FORGED / 2), ...repeats.toReversed()),
    ]);
    const timeout = { timeoutMs: 30_000 + FORGED * 20 };
    await eventually(async () => expect(await countOf(target, 'dead_letters')).toBe(FORGED), timeout);
    await eventually(
      async () => expect(await countOf(source, 'outbox WHERE published_at IS NULL')).toBe(0),
      timeout,
    );
    await eventually(isEmpty, timeout);

    expect(await countOf(target, 'effects')).toBe(GENUINE);
    expect(await countOf(target, 'dead_letters')).toBe(FORGED);
    expect(await countOf(target, `dead_letters WHERE signature = 'valid'`)).toBe(0);
    const ofKind = FORGED / kindsOfForgeries.length;
    expect(await counted()).toEqual({
      valid: expect.any(Number),
      ...{ unsigned: ofKind, invalid: FORGED - 2 * ofKind, dead: FORGED },
    });

    const letters = await target.queryUnprepared<{ id: string }>(
      `SELECT id FROM dead_letters ORDER BY died_at LIMIT ${REPLAYED}`,
      [],
    );
    for (const { id } of letters)
      await expect(
        replayDeadLetter(dependencies, { id, operatorId: newId(), reason: null }),
      ).rejects.toMatchObject({
        code: 'INVALID_STATE',
      });
    expect(await countOf(target, 'effects')).toBe(GENUINE);
    expect(await countOf(target, 'dead_letters WHERE replayed_at IS NOT NULL')).toBe(0);
  }, 600_000);
});
