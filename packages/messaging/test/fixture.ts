import { createPrivateKey } from 'node:crypto';
import { connect as connectTcp, createServer, type Socket } from 'node:net';
import { expect } from '@jest/globals';
import { type Database, type Migration, migrate, openDatabase, type Transaction } from '@plataforma/data';
import {
  type Announcement,
  createEventSigner,
  type DomainEvent,
  eventExchange,
  type Producer,
  SIGNATURE_HEADER,
} from '@plataforma/events';
import { trustedKeys } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { comparedEvents, outboxSeals, sharedTables } from '@plataforma/tables';
import { createTestDatabase, eventually, signedEventsOnly, testSigner } from '@plataforma/testing';
import { newKeyPair } from '@plataforma/testing/fixtures';
import { connect } from 'amqplib';
import { createSignaturePolicy } from '../src/index.ts';

export const log = createLog({ service: 'test', level: process.env.TEST_LOG ?? 'silent' });

/**
 * The public keys that belong to `signer`. Most tests use `signaturePolicy`, which also accepts events
 * without a signature.
 */
export const keys = trustedKeys.parse(signedEventsOnly.EVENT_KEYS);
export const signer = testSigner;
export const requiring = createSignaturePolicy('ledger', { mode: 'require', keys });
export const signaturePolicy = createSignaturePolicy('ledger', { mode: 'accept', keys });

/**
 * The table of effects. The tests' consumers insert one row for each event, so two rows for an event are an
 * error.
 */
const effects: Migration = {
  name: '002_effects',
  sql: 'CREATE TABLE effects (event_id uuid NOT NULL, aggregate_id uuid NOT NULL)',
};

/**
 * Opens a database with the tables of messaging. With `serverUrl` the connection has the owner's role.
 * Without it, a test database is created and the connection has a service's role.
 */
export async function openTestDatabase(serverUrl?: string): Promise<Database> {
  const home = serverUrl ? { url: serverUrl, env: { DATABASE_URL: serverUrl } } : await createTestDatabase();
  const { DATABASE_URL: url } = home.env;
  await migrate(home.url, [sharedTables, outboxSeals, comparedEvents, effects], url);
  return openReplica({ url });
}

export function openReplica({ url }: Pick<Database, 'url'>): Database {
  return openDatabase({ url, poolSize: 5, log });
}

export function paidCharge(): Announcement {
  const id = newId();
  return {
    type: 'charge.paid',
    merchantId: newId(),
    environment: 'sandbox',
    aggregateId: id,
    sequence: 1,
    data: {
      id,
      txid: id.replaceAll('-', ''),
      externalId: 'order',
      paymentMethod: 'PIX',
      amount: 1000,
      feeAmount: 10,
      netAmount: 990,
      status: 'PAID',
      paidAt: new Date().toISOString(),
      settlesAt: null,
    },
  };
}

/** Returns an event as its producer publishes it. */
export function eventOf(): DomainEvent {
  const occurredAt = new Date().toISOString();
  return { ...paidCharge(), id: newId(), version: 1, occurredAt, traceparent: null };
}

const strangersKey = createPrivateKey({
  key: Buffer.from(newKeyPair().privateKey, 'base64'),
  format: 'der',
  type: 'pkcs8',
});

/** Returns the proof of a stranger, who signs a body in the name of a producer. */
export function strangersProof(
  body: string | Buffer,
  producer: Producer = 'charges',
): Record<string, string> {
  const id = keys.get(producer)?.[0]?.id ?? '';
  const [proof = ''] = createEventSigner(producer, { id, key: strangersKey }).sign([Buffer.from(body)]);
  return { [SIGNATURE_HEADER]: proof };
}

export async function recordEffects(tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
  await tx.query('INSERT INTO effects SELECT * FROM unnest($1::uuid[], $2::uuid[])', [
    events.map(({ id }) => id),
    events.map(({ aggregateId }) => aggregateId),
  ]);
}

export async function countOf(database: Database, what: string): Promise<number> {
  const [row] = await database.queryUnprepared<{ count: number }>(
    `SELECT count(*) AS count FROM ${what}`,
    [],
  );
  return row?.count ?? -1;
}

export const countBecomes = (database: Database, what: string, count: number): Promise<void> =>
  eventually(async () => expect(await countOf(database, what)).toBe(count));

/** Returns the bodies of the messages that this service has set aside, oldest first. */
export async function deadBodies(database: Database): Promise<string[]> {
  const rows = await database.queryUnprepared<{ body: Buffer }>(
    'SELECT body FROM dead_letters ORDER BY id',
    [],
  );
  return rows.map(({ body }) => body.toString('utf8'));
}

/** Runs `work` on a separate channel to the broker itself, without a proxy. */
export async function onChannel<T>(
  url: string,
  work: (
    channel: Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['createConfirmChannel']>>,
  ) => Promise<T>,
): Promise<T> {
  const connection = await connect(url);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return await work(channel);
  } finally {
    await connection.close().catch(() => undefined);
  }
}

export interface Message {
  body: string | Buffer;
  key?: string;
  headers?: Record<string, string>;
}

/** Publishes messages, by default as paid charges, and waits until the broker has them. */
export function publish(url: string, ...messages: readonly Message[]): Promise<void> {
  return onChannel(url, async (channel) => {
    for (const { key = 'charge.paid', body, headers = {} } of messages)
      channel.publish(eventExchange, key, Buffer.from(body), { persistent: true, headers });
    await channel.waitForConfirms();
  });
}

export async function messagesIn(url: string, queue: string): Promise<string[]> {
  return onChannel(url, async (channel) => {
    const bodies: string[] = [];
    for (;;) {
      const message = await channel.get(queue, { noAck: true });
      if (!message) return bodies;
      bodies.push(message.content.toString());
    }
  });
}

export interface Wire {
  url: string;
  /** Breaks all connections. New connections work, unless the wire is dead. */
  cut(): void;
  /** Makes the wire dead or alive again. A dead wire breaks all connections and refuses new connections. */
  setDead(isDead: boolean): void;
  /**
   * Makes the wire mute or normal again. A mute wire keeps connections open, but no answer of the broker
   * arrives.
   */
  setMute(isMute: boolean): void;
  /** Cuts the next connection after the broker has sent this many bytes. */
  cutNextAfter(bytes: number): void;
  stop(): void;
}

/** Starts a proxy in front of the broker. A test can cut the connections through the proxy. */
export async function startWire(brokerUrl: string): Promise<Wire> {
  const target = new URL(brokerUrl);
  const sockets = new Set<Socket>();
  let isDead = false;
  let isMute = false;
  let nextAllowance = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    if (isDead) return void near.destroy();
    let allowance = nextAllowance;
    nextAllowance = Number.POSITIVE_INFINITY;
    const far = connectTcp(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on('data', (chunk) => {
      if (isMute) return;
      near.write(chunk.subarray(0, allowance));
      allowance -= chunk.length;
      if (allowance <= 0) near.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the wire has no port');
  const url = Object.assign(new URL(brokerUrl), { port: String(address.port) }).href;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url,
    cut,
    setDead: (dead) => {
      isDead = dead;
      if (dead) cut();
    },
    setMute: (mute) => {
      isMute = mute;
    },
    cutNextAfter: (bytes) => {
      nextAllowance = bytes;
    },
    stop: () => {
      cut();
      server.close();
    },
  };
}
