import { deadLetters, type OperatorRole } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { createSigner, createVerifier, IDENTITY_HEADER, operatorOf, startHttpServer } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { claimVhost, eventually } from '@plataforma/testing';
import { newKeyPair, trusting } from '@plataforma/testing/fixtures';
import { deadLetterRoutes, listen } from '../src/index.ts';
import {
  signaturePolicy as accepting,
  eventOf,
  openTestDatabase,
  publish as publishTo,
  recordEffects,
  log as silent,
} from './fixture.ts';

const { privateKey, publicKey } = newKeyPair();
const signer = createSigner('gateway', privateKey);

export const operatorId = newId();

interface Call {
  method?: 'GET' | 'POST';
  body?: object;
  /** The role of the operator. Null sends a request without an identity. */
  role?: OperatorRole | null;
}

type Ailment = (tx: Transaction) => Promise<unknown>;

/** Starts the ledger's listener, which a test can make fail, and the ledger's dead-letter routes. */
export async function startReplaying({ signaturePolicy = accepting, log = silent } = {}) {
  const vhost = await claimVhost();
  const database = await openTestDatabase();
  let ailment: Ailment | null = null;
  const apply = async (tx: Transaction, events: DomainEvent[]) => {
    await recordEffects(tx, events);
    await ailment?.(tx);
  };
  const listener = listen({ signaturePolicy, subscriber: 'ledger', database, brokerUrl: vhost, log, apply });
  const verifier = createVerifier('ledger', trusting({ gateway: publicKey }));
  const server = await startHttpServer({
    connectionLimit: null,
    log,
    host: '127.0.0.1',
    port: 0,
    needs: {},
    mount: (app) =>
      deadLetterRoutes(app, {
        signaturePolicy,
        operatorOf: (req, endpoint) => operatorOf(req, verifier, endpoint),
        database,
        log,
        apply,
        endpoints: deadLetters.ledger,
      }),
  });
  // The listener has declared its queues when it is connected.
  await eventually(() => {
    if (!listener.isConnected()) throw new Error('the listener is not connected');
  });
  const ask = askerOf(server.url);

  const publish = (events: object | readonly object[], headers: Record<string, string> = {}) =>
    publishTo(vhost, ...[events].flat().map((event) => ({ body: JSON.stringify(event), headers })));

  return {
    database,
    ask,
    publish,
    letterOf: (eventId: string) => letterOf(database, eventId),
    replay: (id: string, call: Call = {}) => ask(`/${id}/replay`, { method: 'POST', ...call }),
    /** Makes each later batch of events fail after `like` has run. Null makes events succeed again. */
    fallIll(like: Ailment | null) {
      ailment = like;
    },
    /** Publishes an event that cannot be applied. Returns the event and the id of its dead letter. */
    async poisoned() {
      const event = eventOf();
      await publish(event);
      return { event, id: await letterOf(database, event.id) };
    },
    /** Inserts a dead letter for the event into the database, without the queue. */
    async lettered(event: DomainEvent) {
      const body = Buffer.from(JSON.stringify(event));
      await database.query(LETTER, [newId(), event.id, event.id, event.type, body]);
      return letterOf(database, event.id);
    },
    async stop() {
      await Promise.all([server.stop(), listener.stop()]);
      await database.close();
    },
  };
}

export type Replaying = Awaited<ReturnType<typeof startReplaying>>;

const LETTER = `
  INSERT INTO dead_letters (id, fingerprint, event_id, type, body, reason, died_at)
  VALUES ($1, $2, $3, $4, $5, 'rejected', now())`;

/** Returns a function that calls a route as the gateway does for an operator's request. */
function askerOf(url: string) {
  return async (path: string, { method = 'GET', body = {}, role = 'FINANCE' }: Call = {}) => {
    const identity = role && signer.sign({ kind: 'operator', operatorId, role }, 'ledger');
    const answer = await fetch(`${url}/v1/admin/ledger/dead-letters${path}`, {
      method,
      headers: {
        ...(identity ? { [IDENTITY_HEADER]: identity } : {}),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    });
    const { data, meta, error } = JSON.parse(await answer.text());
    return { status: answer.status, data, meta, error };
  };
}

function letterOf(database: Database, eventId: string): Promise<string> {
  return eventually(async () => {
    const sql = 'SELECT id FROM dead_letters WHERE event_id = $1';
    const [letter] = await database.query<{ id: string }>(sql, [eventId]);
    if (!letter) throw new Error('it is no dead letter yet');
    return letter.id;
  });
}
