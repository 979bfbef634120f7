import { expect } from '@jest/globals';
import { createLog, type Database, openDatabase } from '@plataforma/chassis';
import { api, type BalanceView, type OperatorRole } from '@plataforma/contracts';
import { type Announcement, queueOf } from '@plataforma/events';
import type { Tenant } from '@plataforma/kernel';
import { claimVhost, createTestDatabase, eventually, type TestDatabase } from '@plataforma/testing';
import { connect } from 'amqplib';
import { z } from 'zod';
import { startLedger } from '../../src/service.ts';
import { type Emitter, startEmitter } from './emitter.ts';
import { headersFor, operatorHeaders, serviceHeaders, TRUSTED_KEYS } from './identity.ts';

type Ledger = Awaited<ReturnType<typeof startLedger>>;
type Tuning = Parameters<typeof startLedger>[1];

const success = z.object({ success: z.literal(true), data: api.getBalance.data });

export interface World {
  env: Record<string, string>;
  /** The ledger's own tables. */
  database: Database;
  emitter: Emitter;
  /** The replica that was started along with the world. */
  first: Ledger;
  startReplica(): Promise<Ledger>;
  /** Announces, and waits until the ledger has looked at as many events as there were. */
  tell(...announcements: Announcement[]): Promise<void>;
  /** The lines of the entries of a reference, by kind and account. */
  entriesOf(reference: string): Promise<Record<string, Record<string, number>>>;
  /** What the merchant reads of a charge or withdrawal: type, amount and the balance it left. */
  rowsOf(id: string): Promise<[string, number, number][]>;
  /** Asks for a refund as the charges service does. */
  refund(order: object, ledger?: Ledger): Promise<{ status: number; answer: unknown }>;
  /** Asks for the money of a withdrawal as the withdrawals service does. */
  withdraw(order: object, ledger?: Ledger): Promise<{ status: number; answer: unknown }>;
  balanceOf(tenant: Tenant): Promise<BalanceView>;
  /** Puts a message into the ledger's queue that no service of ours would send. */
  send(body: string): Promise<void>;
  /** The dead letters, which are taken out by this. */
  deadLetters(): Promise<string[]>;
  stop(): Promise<void>;
}

const ENTRIES = `
  SELECT e.kind, json_object_agg(l.account, l.amount_cents) AS lines
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id WHERE e.reference = $1 GROUP BY e.id`;
const ROWS = `
  SELECT type, amount_cents AS amount, balance_after_cents AS balance FROM wallet_transactions
  WHERE $1 IN (charge_id, withdrawal_id) ORDER BY created_at, id`;

async function countApplied(database: Database): Promise<number> {
  const [row] = await database.query<{ total: number }>('SELECT count(*) AS total FROM inbox');
  return row?.total ?? 0;
}

const askers = { refunds: 'charges', withdrawals: 'withdrawals' } as const;

async function post(
  { url }: Ledger,
  door: keyof typeof askers,
  order: object,
): Promise<{ status: number; answer: unknown }> {
  const answer = await fetch(`${url}/internal/${door}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...serviceHeaders(askers[door]) },
    body: JSON.stringify(order),
  });
  return { status: answer.status, answer: await answer.json() };
}

interface OperatorCall {
  method?: 'GET' | 'POST';
  path: string;
  body?: object;
  role?: OperatorRole;
}

/** Calls as the gateway does for an operator. */
export async function asOperator(
  { url }: Pick<Ledger, 'url'>,
  { method = 'GET', path, body, role }: OperatorCall,
): Promise<{ status: number; answer: unknown }> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...operatorHeaders(role), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, answer: await answer.json() };
}

interface WorldOptions {
  databaseUrl?: string;
  tuning?: Tuning;
}

/** On a server of the test's own, which has no role but the owner's. */
function databaseAt(url: string): Pick<TestDatabase, 'url' | 'drop'> & { env: { DATABASE_URL: string } } {
  return { url, env: { DATABASE_URL: url }, drop: async () => undefined };
}

/** A ledger on a database and virtual host of its own, with somebody who emits events. */
export async function startWorld({ databaseUrl, tuning }: WorldOptions = {}): Promise<World> {
  const brokerUrl = await claimVhost();
  const home = databaseUrl ? databaseAt(databaseUrl) : await createTestDatabase();
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ...home.env,
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'silent',
    AMQP_URL: brokerUrl,
    TRUSTED_KEYS,
    // Many tests tamper with the books.
    BOOKS_CHECK_EVERY_MINUTES: '0',
  };
  const replicas: Ledger[] = [];
  async function startReplica(): Promise<Ledger> {
    const ledger = await startLedger(env, { scheduleEveryMs: 20, ...tuning });
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
    async tell(...announcements) {
      const before = await countApplied(database);
      await emitter.announce(...announcements);
      await eventually(async () =>
        expect((await countApplied(database)) - before).toBeGreaterThanOrEqual(announcements.length),
      );
    },
    async entriesOf(reference) {
      const rows = await database.query<{ kind: string; lines: Record<string, number> }>(ENTRIES, [
        reference,
      ]);
      return Object.fromEntries(rows.map(({ kind, lines }) => [kind, lines]));
    },
    async rowsOf(id) {
      const rows = await database.query<{ type: string; amount: number; balance: number }>(ROWS, [id]);
      return rows.map(({ type, amount, balance }) => [type, amount, balance]);
    },
    refund: (order, ledger = first) => post(ledger, 'refunds', order),
    withdraw: (order, ledger = first) => post(ledger, 'withdrawals', order),
    async balanceOf(tenant) {
      const answer = await fetch(`${first.url}/v1/balance`, { headers: headersFor(tenant) });
      return success.parse(await answer.json()).data;
    },
    async send(body) {
      channel.sendToQueue(queueOf('ledger'), Buffer.from(body));
      await channel.waitForConfirms();
    },
    async deadLetters() {
      const rows = await database.query<{ body: Buffer }>('DELETE FROM dead_letters RETURNING body');
      return rows.map(({ body }) => body.toString('utf8'));
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
