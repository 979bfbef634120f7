import { createLog, type Database, openDatabase } from '@plataforma/chassis';
import { api, type BalanceView } from '@plataforma/contracts';
import { deadQueueOf, queueOf } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { claimVhost, createTestDatabase } from '@plataforma/testing';
import { connect } from 'amqplib';
import { z } from 'zod';
import { startLedger } from '../../src/service.ts';
import { type Emitter, startEmitter } from './emitter.ts';
import { headersFor, TRUSTED_KEYS } from './identity.ts';

type Ledger = Awaited<ReturnType<typeof startLedger>>;

const success = z.object({ success: z.literal(true), data: api.getBalance.data });

export interface World {
  env: NodeJS.ProcessEnv;
  /** The ledger's own tables. */
  database: Database;
  emitter: Emitter;
  /** The replica that was started along with the world. */
  first: Ledger;
  startReplica(): Promise<Ledger>;
  balanceOf(tenant: Tenant): Promise<BalanceView>;
  /** Puts a message into the ledger's queue that no service of ours would send. */
  send(body: string): Promise<void>;
  /** The dead letters, which are taken out by this. */
  deadLetters(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A ledger on a database and virtual host of its own, with somebody who emits events. */
export async function startWorld(databaseUrl?: string): Promise<World> {
  const brokerUrl = await claimVhost();
  const home = databaseUrl ? { url: databaseUrl, drop: async () => undefined } : await createTestDatabase();
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: home.url,
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'silent',
    AMQP_URL: brokerUrl,
    TRUSTED_KEYS,
  };
  const replicas: Ledger[] = [];
  async function startReplica(): Promise<Ledger> {
    const ledger = await startLedger(env);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= ledger.stop();
      return stopped;
    };
    replicas.push({ ...ledger, stop });
    return { ...ledger, stop };
  }

  const first = await startReplica();
  const emitter = await startEmitter(brokerUrl);
  const log = createLog({ service: 'test', level: 'silent' });
  const database = openDatabase({ url: home.url, poolSize: 2, log });
  const broker = await connect(brokerUrl);
  const channel = await broker.createConfirmChannel();

  return {
    env,
    database,
    emitter,
    first,
    startReplica,
    async balanceOf(tenant) {
      const answer = await fetch(`${first.url}/v1/balance`, { headers: headersFor(tenant) });
      return success.parse(await answer.json()).data;
    },
    async send(body) {
      channel.sendToQueue(queueOf('ledger'), Buffer.from(body));
      await channel.waitForConfirms();
    },
    async deadLetters() {
      const bodies: string[] = [];
      for (;;) {
        const message = await channel.get(deadQueueOf('ledger'), { noAck: true });
        if (!message) return bodies;
        bodies.push(message.content.toString('utf8'));
      }
    },
    async stop() {
      await emitter.stop();
      await Promise.all(replicas.map((replica) => replica.stop()));
      await broker.close();
      await database.close();
      await home.drop();
    },
  };
}
