import { expect } from '@jest/globals';
import type { Database, Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import { eventually } from '@plataforma/testing';
import { listen, startRelay } from '../src/index.ts';
import {
  openReplica as connectAgain,
  countBecomes,
  deadBodies,
  eventOf,
  log,
  onChannel,
  openTestDatabase,
  paidCharge,
  recordEffects,
  signaturePolicy,
  signer,
} from './fixture.ts';

type ListenOptions = Parameters<typeof listen>[0];
type ListenerOptions = Pick<ListenOptions, 'brokerUrl' | 'database'> & Partial<ListenOptions>;

export type Apply = (tx: Transaction, events: DomainEvent[]) => Promise<void>;

const recorded: Apply = (tx, events) => recordEffects(tx, events);

/** Opens the broker's readers for tests. Closes them after each test in reverse order. */
export function readings() {
  const closing: (() => unknown)[] = [];

  async function openDatabase(): Promise<Database> {
    const database = await openTestDatabase();
    closing.push(() => database.close());
    return database;
  }

  async function startListener(options: ListenerOptions) {
    const listener = listen({ signaturePolicy, subscriber: 'ledger', log, apply: recorded, ...options });
    closing.push(() => listener.stop());
    await eventually(() => expect(listener.isConnected()).toBe(true));
    return listener;
  }

  return {
    openDatabase,
    openReplica(database: Database): Database {
      const replica = connectAgain(database);
      closing.push(() => replica.close());
      return replica;
    },
    startListener,
    async startReader(brokerUrl: string, apply: Apply = recorded) {
      const database = await openDatabase();
      return { database, listener: await startListener({ brokerUrl, apply, database }) };
    },
    async startEmitter(brokerUrl: string) {
      const database = await openDatabase();
      const relay = startRelay({ signer, database, brokerUrl, name: 'test', log, pollMs: 50 });
      closing.push(() => relay.stop());
      return {
        emit: (count: number) =>
          database.transaction((tx) => announce(tx, ...Array.from({ length: count }, paidCharge))),
        async bodies(): Promise<string[]> {
          const rows = await database.queryUnprepared<{ body: string }>('SELECT body FROM outbox', []);
          return rows.map(({ body }) => body);
        },
        /** Waits until the broker has received `count` events. */
        published: (count: number) => countBecomes(database, 'outbox WHERE published_at IS NOT NULL', count),
      };
    },
    /** Closes this resource after the test, before the resources that were opened earlier. */
    alsoClose: (close: () => unknown) => void closing.push(close),
    async close() {
      for (const close of closing.splice(0).reverse()) await close();
    },
  };
}

export const bodyOf = (id: string = newId()): string => JSON.stringify({ ...eventOf(), id });

export function deliver(url: string, queue: string, ...bodies: (string | Buffer)[]): Promise<void> {
  return onChannel(url, async (channel) => {
    for (const body of bodies) channel.sendToQueue(queue, Buffer.from(body), { persistent: true });
    await channel.waitForConfirms();
  });
}

/**
 * Sends one more dead letter and waits until it is stored. A listener stores dead letters in order, so all
 * earlier ones are then stored.
 */
export async function allLettersKept(url: string, database: Database): Promise<void> {
  await deliver(url, 'ledger.dead', 'the last one');
  await eventually(async () => expect(await deadBodies(database)).toContain('the last one'));
}

export function waitingBecome(url: string, count: number): Promise<void> {
  return eventually(async () => {
    const { messageCount } = await onChannel(url, (channel) => channel.checkQueue('ledger.events'));
    expect(messageCount).toBe(count);
  });
}
