import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signedHeaders } from '@plataforma/testing';
import { createSignaturePolicy } from '../src/index.ts';
import { countBecomes, countOf, eventOf, keys, requiring, strangersProof } from './fixture.ts';
import { type Replaying, startReplaying } from './replaying.ts';

/** Headers of events that their producer has not signed, each with the expected verdict. */
const forgeries: [string, (body: string) => Record<string, string>, string][] = [
  ['without a signature', () => ({}), 'UNSIGNED'],
  ['with a stranger’s signature in the name of charges', (body) => strangersProof(body), 'INVALID'],
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
    await countBecomes(world.database, `effects WHERE event_id = '${last.id}'`, 1);
  }

  test.each(forgeries)('%s is never applied, not even by a replay', async (_what, headersOf, signature) => {
    const event = eventOf();
    await world.publish(event, headersOf(JSON.stringify(event)));
    await allApplied();

    const id = await world.letterOf(event.id);
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
    await world.letterOf(event.id);
    world.fallIll(() => Promise.reject(new Error('not now')));
    await world.publish(event, signedHeaders(JSON.stringify(event)));
    await countBecomes(world.database, `dead_letters WHERE event_id = '${event.id}'`, 2);
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
    expect(await world.replay(await world.lettered(eventOf()))).toMatchObject({ status: 409 });
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
