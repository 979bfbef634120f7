import { connect as connectTcp, createServer, type Socket } from 'node:net';
import { type Database, type Migration, migrate, openDatabase, type Transaction } from '@plataforma/data';
import type { Announcement, DomainEvent } from '@plataforma/events';
import { trustedKeys } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { sharedTables } from '@plataforma/tables';
import { createTestDatabase, signedEventsOnly, testSigner } from '@plataforma/testing';
import { connect } from 'amqplib';
import { createSignaturePolicy } from '../src/index.ts';

export const log = createLog({ service: 'test', level: process.env.TEST_LOG ?? 'silent' });

/** The public keys of `signer`. Events of other tests have no signature. */
export const keys = trustedKeys.parse(signedEventsOnly.EVENT_KEYS);
export const signer = testSigner;
export const requiring = createSignaturePolicy('ledger', { mode: 'require', keys });
export const signaturePolicy = createSignaturePolicy('ledger', { mode: 'accept', keys });

/** The tests' consumers insert one row per event. A test that finds two rows has found an error. */
const effects: Migration = {
  name: '002_effects',
  sql: 'CREATE TABLE effects (event_id uuid NOT NULL, aggregate_id uuid NOT NULL)',
};

/**
 * Opens a database with the tables of messaging as a service does, or as the owner on the server at
 * `serverUrl`.
 */
export async function openTestDatabase(serverUrl?: string): Promise<Database> {
  const home = serverUrl ? { url: serverUrl, env: { DATABASE_URL: serverUrl } } : await createTestDatabase();
  const { DATABASE_URL: url } = home.env;
  await migrate(home.url, [sharedTables, effects], url);
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

/** Returns the messages that this service has set aside, oldest first. */
export async function deadBodies(database: Database): Promise<string[]> {
  const rows = await database.queryUnprepared<{ body: Buffer }>(
    'SELECT body FROM dead_letters ORDER BY id',
    [],
  );
  return rows.map(({ body }) => body.toString('utf8'));
}

/** Runs `work` on a separate channel, directly at the broker. */
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
  /** Breaks every connection. New connections work unless the wire is dead. */
  cut(): void;
  /** Breaks every connection and refuses new ones while the wire is dead. */
  setDead(isDead: boolean): void;
  /** Keeps connections open while the wire is mute, but drops every answer of the broker. */
  setMute(isMute: boolean): void;
  /** Cuts the next connection after this many bytes from the broker. */
  cutNextAfter(bytes: number): void;
  stop(): void;
}

/** Starts a proxy to the broker that a test can cut. */
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
