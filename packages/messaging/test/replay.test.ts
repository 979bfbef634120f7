import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createSigner,
  createVerifier,
  type Database,
  type HttpServer,
  IDENTITY_HEADER,
  startHttpServer,
  type Transaction,
  trustedKeys,
} from '@plataforma/chassis';
import { deadLetters, type OperatorRole } from '@plataforma/contracts';
import type { DomainEvent } from '@plataforma/events';
import { newId, Refusal } from '@plataforma/kernel';
import { claimVhost, eventually } from '@plataforma/testing';
import { deadLetterRoutes, type Listener, listen } from '../src/index.ts';
import { countOf, log, onChannel, openTestDatabase, paidCharge, recordEffects } from './fixture.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signer = createSigner(
  'gateway',
  privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
);
const keys = { gateway: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
const operatorId = newId();

let vhost: string;
let database: Database;
let listener: Listener;
let server: HttpServer;
/** What is wrong with every event, until it is mended. */
let ailment: ((tx: Transaction) => Promise<unknown>) | null;

async function apply(tx: Transaction, events: DomainEvent[]): Promise<void> {
  await recordEffects(tx, events);
  await ailment?.(tx);
}

beforeAll(async () => {
  vhost = await claimVhost();
  database = await openTestDatabase();
  listener = listen({ subscriber: 'ledger', database, brokerUrl: vhost, log, apply });
  const verifier = createVerifier('ledger', trustedKeys.parse(JSON.stringify(keys)));
  server = await startHttpServer({
    log,
    host: '127.0.0.1',
    port: 0,
    checks: {},
    mount: (app) => deadLetterRoutes(app, { verifier, database, log, apply, endpoints: deadLetters.ledger }),
  });
  await eventually(() => expect(listener.isConnected()).toBe(true));
});
beforeEach(() => {
  ailment = () => Promise.reject(new Error('can’t digest this'));
});
afterAll(async () => {
  await Promise.all([server.stop(), listener.stop()]);
  await database.close();
});

async function ask(
  path: string,
  { method = 'GET', body = {}, role = 'FINANCE' as OperatorRole | null } = {},
) {
  const identity = role && signer.sign({ kind: 'operator', operatorId, role }, 'ledger');
  const answer = await fetch(`${server.url}/v1/admin/ledger/dead-letters${path}`, {
    method,
    headers: {
      ...(identity ? { [IDENTITY_HEADER]: identity } : {}),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const { data, meta, error } = JSON.parse(await answer.text());
  return { status: answer.status, data, meta, error };
}

const replay = (id: string, how: { body?: object; role?: OperatorRole | null } = {}) =>
  ask(`/${id}/replay`, { method: 'POST', ...how });

function eventOf(): DomainEvent {
  const occurredAt = new Date().toISOString();
  return { ...paidCharge(), id: newId(), version: 1, occurredAt, traceparent: null };
}

function publish(body: string): Promise<void> {
  return onChannel(vhost, async (channel) => {
    channel.publish('payments.events', 'charge.paid', Buffer.from(body), { persistent: true });
    await channel.waitForConfirms();
  });
}

/** The id of the letter an event has become. */
function letterOf(eventId: string): Promise<string> {
  return eventually(async () => {
    const [letter] = await database.query<{ id: string }>('SELECT id FROM dead_letters WHERE event_id = $1', [
      eventId,
    ]);
    if (!letter) throw new Error('it is no dead letter yet');
    return letter.id;
  });
}

/** An event that went through the queue and could not be applied. */
async function poisoned(): Promise<{ id: string; event: DomainEvent }> {
  const event = eventOf();
  await publish(JSON.stringify(event));
  return { event, id: await letterOf(event.id) };
}

/** Puts a letter there without the way through the queue. */
async function lettered(event: DomainEvent): Promise<string> {
  await database.query(
    `INSERT INTO dead_letters (id, fingerprint, event_id, type, body, reason, died_at)
     VALUES ($1, $2, $3, $4, $5, 'rejected', now())`,
    [newId(), event.id, event.id, event.type, Buffer.from(JSON.stringify(event))],
  );
  return letterOf(event.id);
}

const effectsOf = ({ id }: DomainEvent) => countOf(database, `effects WHERE event_id = '${id}'`);
const auditOf = (id: string) =>
  database.query('SELECT operator_id, action, after, reason FROM audit_log WHERE subject_id = $1', [id]);
const refused = (message: string) => ({
  status: 409,
  error: { code: 'INVALID_STATE', message: expect.stringContaining(message) },
});

describe('a poisonous event', () => {
  test('is set aside and listed; mended and replayed, it has its effect, once', async () => {
    const { id, event } = await poisoned();

    const listed = await ask('?replayed=false&limit=1', { role: 'SUPPORT' });
    const early = await replay(id);
    expect(listed.data).toEqual([
      {
        id,
        eventId: event.id,
        type: 'charge.paid',
        reason: 'rejected',
        diedAt: expect.any(String),
        replayedAt: null,
      },
    ]);
    expect(early).toMatchObject(refused('nothing was changed'));
    expect([await effectsOf(event), await auditOf(id)]).toEqual([0, []]);
    expect(await countOf(database, `inbox WHERE event_id = '${event.id}'`)).toBe(0);

    ailment = null;
    const mended = await replay(id, { body: { reason: 'Corrigido.' } });
    const again = await replay(id);

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

  test('that comes once more after it was replayed changes nothing', async () => {
    const { id, event } = await poisoned();
    ailment = null;
    await replay(id);

    await publish(JSON.stringify(event));
    const next = eventOf();
    await publish(JSON.stringify(next));

    await eventually(async () => expect(await effectsOf(next)).toBe(1));
    expect(await effectsOf(event)).toBe(1);
  });

  test('that another copy has applied meanwhile counts as done', async () => {
    const { id, event } = await poisoned();
    ailment = null;
    await publish(JSON.stringify(event));
    await eventually(async () => expect(await effectsOf(event)).toBe(1));

    const answer = await replay(id);

    expect(answer).toMatchObject({ status: 200, data: { outcome: 'APPLIED_BEFORE' } });
    expect(await effectsOf(event)).toBe(1);
    expect(await auditOf(id)).toMatchObject([{ after: { outcome: 'APPLIED_BEFORE' } }]);
  });

  test('that is refused in words is refused to the operator in the same words', async () => {
    ailment = () => Promise.reject(new Refusal('conflict', 'INVALID_STATE', 'the books are closed'));
    const id = await lettered(eventOf());

    expect(await replay(id)).toMatchObject(refused('the books are closed'));
  });

  test('is not judged while the database is in trouble', async () => {
    ailment = (tx) => tx.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$`);
    const event = eventOf();
    const id = await lettered(event);

    expect(await replay(id)).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
    expect([await effectsOf(event), await auditOf(id)]).toEqual([0, []]);
  });

  test('that this release can’t read is not replayed', async () => {
    const event = eventOf();
    await publish(JSON.stringify({ ...event, type: 'charge.eaten' }));
    const { id } = await eventually(async () => {
      const { data } = await ask('?type=charge.paid&replayed=false');
      const [letter] = data.filter(({ eventId }: { eventId: string | null }) => eventId === null);
      expect(letter).toBeDefined();
      return letter;
    });

    expect(await replay(id)).toMatchObject(refused('no event that this release can read'));
    expect(await ask(`/${id}`)).toMatchObject({ data: { body: expect.stringContaining('charge.eaten') } });
  });
});

test('two operators, and a copy from the queue, at once apply an event once, round by round', async () => {
  ailment = null;
  for (let round = 0; round < 20; round += 1) {
    const event = eventOf();
    const id = await lettered(event);

    const [one, other] = await Promise.all([replay(id), replay(id), publish(JSON.stringify(event))]);

    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    expect(await effectsOf(event)).toBe(1);
    expect(await auditOf(id)).toHaveLength(1);
  }
});

describe('the list of dead letters', () => {
  test('is narrowed by type and by whether they were replayed, page by page, newest first', async () => {
    const [first, second] = [await lettered(eventOf()), await lettered(eventOf())];
    ailment = null;
    await replay(first);

    const idsOf = async (query: string): Promise<string[]> =>
      (await ask(query)).data.map(({ id }: { id: string }) => id);

    expect(await idsOf('?replayed=false')).toContain(second);
    expect(await idsOf('?replayed=false')).not.toContain(first);
    expect((await idsOf('?replayed=true&type=charge.paid'))[0]).toBe(first);
    expect(await idsOf('?type=charge.eaten')).toEqual([]);
    expect((await idsOf('')).slice(0, 2)).toEqual([second, first]);
    expect(await idsOf('?page=2&limit=1')).toEqual([first]);
    expect((await ask('?limit=1')).meta).toMatchObject({ page: 1, limit: 1 });
  });

  test.each(['?replayed=maybe', '?status=x', '?limit=101', '?type='])('refuses %s', async (query) => {
    expect(await ask(query)).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });

  test('never shows somebody’s document, e-mail address or phone', async () => {
    const secret = { document: '123.456.789-09', email: 'dono@loja.example', phone: '+5511987654321' };
    const id = await lettered(Object.assign(eventOf(), { secret, number: 12345678909 }));

    const { data } = await ask(`/${id}`);

    expect(data.body).toContain('charge.paid');
    for (const text of ['123.456', 'dono@', '987654', '12345678909']) expect(data.body).not.toContain(text);
  });

  test('is read by all roles, replayed from by two, and closed to all others', async () => {
    const id = await lettered(eventOf());
    ailment = null;

    for (const path of ['', `/${id}`]) {
      expect((await ask(path, { role: 'SUPPORT' })).status).toBe(200);
      expect((await ask(path, { role: null })).status).toBe(401);
    }
    expect(await replay(id, { role: 'SUPPORT' })).toMatchObject({ status: 403 });
    expect(await replay(id, { role: null })).toMatchObject({ status: 401 });
    expect(await replay(id, { role: 'ADMIN' })).toMatchObject({ status: 200 });
  });

  test('knows nothing of a letter that is not there', async () => {
    for (const path of ['', '/replay']) {
      const method = path ? 'POST' : 'GET';
      expect(await ask(`/${newId()}${path}`, { method })).toMatchObject({ status: 404 });
      expect(await ask(`/x${path}`, { method })).toMatchObject({ status: 404 });
    }
  });
});
