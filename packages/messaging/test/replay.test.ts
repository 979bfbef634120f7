import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@plataforma/events';
import { newId, Refusal } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { countOf, eventOf } from './fixture.ts';
import { operatorId, startReplaying } from './replaying.ts';

const world = worldOfFile(startReplaying);

beforeEach(() => world.fallIll(() => Promise.reject(new Error('can’t digest this'))));

const effectsOf = ({ id }: DomainEvent) => countOf(world.database, `effects WHERE event_id = '${id}'`);
const auditOf = (id: string) =>
  world.database.query('SELECT operator_id, action, after, reason FROM audit_log WHERE subject_id = $1', [
    id,
  ]);
const refused = (message: string) => ({
  status: 409,
  error: { code: 'INVALID_STATE', message: expect.stringContaining(message) },
});

describe('a failed event', () => {
  test('becomes a dead letter and has one effect when replayed', async () => {
    const { id, event } = await world.poisoned();

    const listed = await world.ask('?replayed=false&limit=1', { role: 'SUPPORT' });
    const early = await world.replay(id);
    expect(listed.data).toEqual([
      {
        id,
        eventId: event.id,
        type: 'charge.paid',
        reason: 'rejected',
        signature: 'UNSIGNED',
        diedAt: expect.any(String),
        replayedAt: null,
      },
    ]);
    expect(early).toMatchObject(refused('nothing was changed'));
    expect([await effectsOf(event), await auditOf(id)]).toEqual([0, []]);
    expect(await countOf(world.database, `inbox WHERE event_id = '${event.id}'`)).toBe(0);

    world.fallIll(null);
    const mended = await world.replay(id, { body: { reason: 'Corrigido.' } });
    const again = await world.replay(id);

    const replayedAt = expect.stringMatching(/Z$/);
    expect(mended).toMatchObject({ status: 200, data: { id, replayedAt, outcome: 'APPLIED' } });
    expect(again).toMatchObject(refused('already'));
    expect(await effectsOf(event)).toBe(1);
    expect(await auditOf(id)).toEqual([
      {
        operator_id: operatorId,
        action: 'dead_letter.replay',
        after: { replayedAt, eventId: event.id, type: 'charge.paid', outcome: 'APPLIED' },
        reason: 'Corrigido.',
      },
    ]);
  });

  test('has no second effect from a copy after its replay', async () => {
    const { id, event } = await world.poisoned();
    world.fallIll(null);
    await world.replay(id);

    await world.publish(event);
    const next = eventOf();
    await world.publish(next);

    await eventually(async () => expect(await effectsOf(next)).toBe(1));
    expect(await effectsOf(event)).toBe(1);
  });

  test('counts as applied when a copy came before the replay', async () => {
    const { id, event } = await world.poisoned();
    world.fallIll(null);
    await world.publish(event);
    await eventually(async () => expect(await effectsOf(event)).toBe(1));

    const answer = await world.replay(id);

    expect(answer).toMatchObject({ status: 200, data: { outcome: 'APPLIED_BEFORE' } });
    expect(await effectsOf(event)).toBe(1);
    expect(await auditOf(id)).toMatchObject([{ after: { outcome: 'APPLIED_BEFORE' } }]);
  });

  test('passes its refusal’s message on to the operator', async () => {
    world.fallIll(() => Promise.reject(new Refusal('conflict', 'INVALID_STATE', 'the books are closed')));
    const id = await world.lettered(eventOf());

    expect(await world.replay(id)).toMatchObject(refused('the books are closed'));
  });

  test('is not replayed while the database fails', async () => {
    world.fallIll((tx) => tx.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$`));
    const event = eventOf();
    const id = await world.lettered(event);

    expect(await world.replay(id)).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
    expect([await effectsOf(event), await auditOf(id)]).toEqual([0, []]);
  });

  test('is not replayed when this release cannot read it', async () => {
    const event = eventOf();
    await world.publish({ ...event, type: 'charge.eaten' });
    const { id } = await eventually(async () => {
      const { data } = await world.ask('?type=charge.paid&replayed=false');
      const [letter] = data.filter(({ eventId }: { eventId: string | null }) => eventId === event.id);
      expect(letter).toBeDefined();
      return letter;
    });

    expect(await world.replay(id)).toMatchObject(refused('no event that this release can read'));
    expect(await world.ask(`/${id}`)).toMatchObject({
      data: { body: expect.stringContaining('charge.eaten') },
    });
  });
});

test('two concurrent replays and a queued copy apply an event once', async () => {
  world.fallIll(null);
  for (let round = 0; round < rounds(20); round += 1) {
    const event = eventOf();
    const id = await world.lettered(event);

    const [one, other] = await Promise.all([world.replay(id), world.replay(id), world.publish(event)]);

    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    expect(await effectsOf(event)).toBe(1);
    expect(await auditOf(id)).toHaveLength(1);
  }
});

describe('the list of dead letters', () => {
  test('is filtered by type and replay, page by page, newest first', async () => {
    const [first, second] = [await world.lettered(eventOf()), await world.lettered(eventOf())];
    world.fallIll(null);
    await world.replay(first);

    const idsOf = async (query: string): Promise<string[]> =>
      (await world.ask(query)).data.map(({ id }: { id: string }) => id);

    expect(await idsOf('?replayed=false')).toContain(second);
    expect(await idsOf('?replayed=false')).not.toContain(first);
    expect((await idsOf('?replayed=true&type=charge.paid'))[0]).toBe(first);
    expect(await idsOf('?type=charge.eaten')).toEqual([]);
    expect((await idsOf('')).slice(0, 2)).toEqual([second, first]);
    expect(await idsOf('?page=2&limit=1')).toEqual([first]);
    expect((await world.ask('?limit=1')).meta).toMatchObject({ page: 1, limit: 1 });
  });

  test('never shows a document, an e-mail address or a phone', async () => {
    const secret = { document: '123.456.789-09', email: 'dono@loja.example', phone: '+5511987654321' };
    const id = await world.lettered(Object.assign(eventOf(), { secret, number: 12345678909 }));

    const { data } = await world.ask(`/${id}`);

    expect(data.body).toContain('charge.paid');
    for (const text of ['123.456', 'dono@', '987654', '12345678909']) expect(data.body).not.toContain(text);
  });

  test('is open to all operator roles; SUPPORT may not replay', async () => {
    const id = await world.lettered(eventOf());
    world.fallIll(null);

    for (const path of ['', `/${id}`]) {
      expect((await world.ask(path, { role: 'SUPPORT' })).status).toBe(200);
      expect((await world.ask(path, { role: null })).status).toBe(401);
    }
    expect(await world.replay(id, { role: 'SUPPORT' })).toMatchObject({ status: 403 });
    expect(await world.replay(id, { role: null })).toMatchObject({ status: 401 });
    expect(await world.replay(id, { role: 'ADMIN' })).toMatchObject({ status: 200 });
  });

  test('answers 404 for an unknown dead letter', async () => {
    for (const path of ['', '/replay']) {
      const method = path ? 'POST' : 'GET';
      expect(await world.ask(`/${newId()}${path}`, { method })).toMatchObject({ status: 404 });
      expect(await world.ask(`/x${path}`, { method })).toMatchObject({ status: 404 });
    }
  });
});
