import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createEventSigner, SIGNATURE_HEADER } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import { claimVhost, eventually, signedHeaders } from '@plataforma/testing';
import { createSignaturePolicy, listen, startRelay } from '../src/index.ts';
import {
  countOf,
  keys,
  log,
  onChannel,
  openTestDatabase,
  paidCharge,
  recordEffects,
  requiring,
  signer,
} from './fixture.ts';
import { type Replaying, startReplaying } from './replaying.ts';

type Headers = Record<string, string>;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const eventOf = (more: object = {}) => ({
  ...{ ...paidCharge(), id: newId(), version: 1, occurredAt: new Date().toISOString(), traceparent: null },
  ...more,
});
const stranger = createEventSigner('charges', {
  id: keys.get('charges')?.[0]?.id ?? '',
  key: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
});

function proofBy(signerOfIt: typeof signer, event: object): Headers {
  const [proof = ''] = signerOfIt.sign([Buffer.from(JSON.stringify(event))]);
  return { [SIGNATURE_HEADER]: proof };
}

/**
 * Returns the genuine proof of the service charges, changed so that it names the service withdrawals as the
 * producer.
 */
function byWithdrawals(event: ReturnType<typeof eventOf>): Headers {
  const proof = signedHeaders(JSON.stringify(event))[SIGNATURE_HEADER] ?? '';
  return { [SIGNATURE_HEADER]: proof.replace('.charges.', '.withdrawals.') };
}

/** Headers of events that their producer has not signed, each with the expected verdict. */
const forgeries: [string, (event: ReturnType<typeof eventOf>) => Headers, string][] = [
  ['without a signature', () => ({}), 'UNSIGNED'],
  ['with the signature of another event', () => signedHeaders(JSON.stringify(eventOf())), 'INVALID'],
  ['with a stranger’s signature in the name of charges', (event) => proofBy(stranger, event), 'INVALID'],
  ['in the name of another producer', byWithdrawals, 'INVALID'],
  ['with a changed amount', (event) => signedHeaders(JSON.stringify({ ...event, sequence: 9 })), 'INVALID'],
  [
    'with half a signature',
    (event) => ({
      [SIGNATURE_HEADER]: (signedHeaders(JSON.stringify(event))[SIGNATURE_HEADER] ?? '').slice(0, -20),
    }),
    'INVALID',
  ],
];

describe('an event under required signatures', () => {
  let world: Replaying;
  beforeAll(async () => {
    world = await startReplaying({ signaturePolicy: requiring });
  });
  afterAll(() => world.stop());

  /**
   * Publishes a signed event and waits until it is applied. The events that were published before it are then
   * handled.
   */
  async function allApplied(): Promise<void> {
    const last = eventOf();
    await world.publish(last, signedHeaders(JSON.stringify(last)));
    await eventually(async () =>
      expect(await countOf(world.database, `effects WHERE event_id = '${last.id}'`)).toBe(1),
    );
  }

  const letterOf = (id: string) =>
    eventually(async () => {
      const [letter] = await world.database.queryUnprepared<{ id: string }>(
        'SELECT id FROM dead_letters WHERE event_id = $1',
        [id],
      );
      if (!letter) throw new Error('the dead letter is not stored yet');
      return letter.id;
    });

  test.each(forgeries)('%s is never applied, not even by a replay', async (_what, headersOf, signature) => {
    const event = eventOf();
    await world.publish(event, headersOf(event));
    await allApplied();

    const id = await letterOf(event.id);
    expect(await world.ask(`/${id}`)).toMatchObject({ data: { signature, eventId: event.id } });
    expect(await world.replay(id)).toMatchObject({
      status: 409,
      error: { code: 'INVALID_STATE', message: expect.stringContaining('signature') },
    });
    expect(await countOf(world.database, `effects WHERE event_id = '${event.id}'`)).toBe(0);
  });

  test('is applied when genuine, after a forgery with its id', async () => {
    const event = eventOf();
    await world.publish({ ...event, sequence: 7 });
    await letterOf(event.id);
    world.fallIll(() => Promise.reject(new Error('not now')));
    await world.publish(event, signedHeaders(JSON.stringify(event)));
    await eventually(async () =>
      expect(await countOf(world.database, `dead_letters WHERE event_id = '${event.id}'`)).toBe(2),
    );
    world.fallIll(null);

    const [letter] = await world.database.queryUnprepared<{ id: string }>(
      `SELECT id FROM dead_letters WHERE event_id = $1 AND signature = 'valid'`,
      [event.id],
    );
    expect(await world.replay(letter?.id ?? '')).toMatchObject({
      status: 200,
      data: { outcome: 'APPLIED' },
    });
    expect(await countOf(world.database, `effects WHERE event_id = '${event.id}'`)).toBe(1);
  });

  test('stored unchecked by an older release is not replayed', async () => {
    const event = eventOf();
    await world.database.query(
      `INSERT INTO dead_letters (id, fingerprint, event_id, type, body, reason, died_at)
       VALUES ($1, $2, $3, 'charge.paid', $4, 'rejected', now())`,
      [newId(), event.id, event.id, Buffer.from(JSON.stringify(event))],
    );

    expect(await world.replay(await letterOf(event.id))).toMatchObject({ status: 409 });
  });
});

describe('an announced event', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  test('is applied once under required signatures, also when published again', async () => {
    const [vhost, source, target] = [await claimVhost(), await openTestDatabase(), await openTestDatabase()];
    const listener = listen({
      ...{ subscriber: 'ledger', database: target, brokerUrl: vhost, log },
      signaturePolicy: requiring,
      apply: recordEffects,
    });
    const relay = startRelay({
      database: source,
      brokerUrl: vhost,
      name: 'charges',
      signer,
      log,
      pollMs: 50,
    });
    closing.push(
      () => source.close(),
      () => target.close(),
      () => listener.stop(),
      () => relay.stop(),
    );
    const count = 700;
    await source.transaction((tx) => announce(tx, ...Array.from({ length: count }, paidCharge)));
    await eventually(async () => expect(await countOf(target, 'effects')).toBe(count));

    await source.query('UPDATE outbox SET published_at = NULL WHERE position % 3 = 0');
    await eventually(async () => expect(await countOf(source, 'outbox WHERE published_at IS NULL')).toBe(0));
    await eventually(async () => {
      const { messageCount } = await onChannel(vhost, (channel) => channel.checkQueue('ledger.events'));
      expect(messageCount).toBe(0);
    });

    expect(await countOf(target, 'effects')).toBe(count);
    expect(await countOf(target, 'dead_letters')).toBe(0);
  });
});

test('a subscriber that requires signatures needs the keys of all its producers', () => {
  const without = (name: string) => new Map([...keys].filter(([producer]) => producer !== name));

  expect(() => createSignaturePolicy('ledger', { mode: 'require', keys: without('withdrawals') })).toThrow(
    'EVENT_SIGNATURES=require needs EVENT_KEYS of withdrawals',
  );
  expect(() => createSignaturePolicy('ledger', { mode: 'require' })).toThrow(
    'EVENT_KEYS of gateway and charges and withdrawals',
  );
  expect(() =>
    createSignaturePolicy('charges', { mode: 'require', keys: without('withdrawals') }),
  ).not.toThrow();
  expect(() => createSignaturePolicy('ledger', { mode: 'accept' })).not.toThrow();
});
