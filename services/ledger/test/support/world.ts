import { beforeAll, expect } from '@jest/globals';
import { api, type BalanceView, type OperatorRole, type WalletTransactionView } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { type Announcement, queueOf } from '@plataforma/events';
import type { Tenant, TimeZone } from '@plataforma/kernel';
import { eventually, type FakeGateway, signedHeaders, startFakeGateway, TICK_MS } from '@plataforma/testing';
import {
  type Answered,
  beforeFile,
  callerTo,
  type Emitter,
  openAt,
  type ServiceWorld,
  shareWorld,
  startEmitter,
  startServiceWorld,
} from '@plataforma/testing/world';
import { connect } from 'amqplib';
import { migrations } from '../../migrations/index.ts';
import { sealedRows } from '../../src/sealed-rows.ts';
import { startLedger } from '../../src/service.ts';
import {
  decisionHeader,
  keySettings,
  merchantHeader,
  operatorHeader,
  operatorId,
  proofHeader,
  serviceHeader,
} from './identity.ts';

type Ledger = Awaited<ReturnType<typeof startLedger>>;
type Tuning = NonNullable<Parameters<typeof startLedger>[1]>;

interface CallResult {
  status: number;
  answer: unknown;
}

type Reader = Tenant & { timeZone?: TimeZone };
type Issuer = NonNullable<Parameters<typeof serviceHeader>[0]>;

interface Download {
  status: number;
  headers: Headers;
  file: Buffer;
  /** The file decoded from UTF-8. A byte order mark stays in the text. */
  text: string;
}

export interface World extends ServiceWorld<Ledger, Tuning> {
  emitter: Emitter;
  /** The fake gateway, which knows one operator: the default operator of `operatorHeader`. */
  gateway: FakeGateway;
  /** Publishes events and waits until the ledger has processed all of them. */
  deliver(...announcements: Announcement[]): Promise<void>;
  /** Returns the amount of each account, for each kind of entry with this reference. */
  entriesOf(reference: string): Promise<Record<string, Record<string, number>>>;
  /** Returns the type, amount and balance of each statement row of a charge or withdrawal. */
  rowsOf(id: string): Promise<[string, number, number][]>;
  /** Requests a refund as the charges service does. */
  refund(order: object, ledger?: Ledger): Promise<CallResult>;
  /** Requests the debit of a withdrawal as the withdrawals service does, with the gateway's signed order. */
  withdraw(order: object, ledger?: Ledger, proof?: Record<string, string>): Promise<CallResult>;
  read(reader: Reader, path: string, ledger?: Ledger): Promise<Answered>;
  /** Reads a page of the statement or of the transactions, with the page's `meta`. */
  readRows(reader: Reader, path: string): Promise<{ rows: WalletTransactionView[]; meta: Answered['meta'] }>;
  /** Downloads a file as a merchant. The format is CSV unless `accept` gives a different one. */
  download(reader: Reader, path: string, accept?: string, ledger?: Ledger): Promise<Download>;
  askAs(service: Issuer, path: string, body?: unknown): Promise<Answered>;
  balanceOf(tenant: Tenant): Promise<BalanceView>;
  /** Sends an invalid message, which no service would send, to the ledger's queue. */
  send(body: string): Promise<void>;
  /** Returns the ledger's dead letters and removes them from their queue. */
  deadLetters(): Promise<string[]>;
}

const ENTRIES = `
  SELECT e.kind, json_object_agg(l.account, l.amount_cents) AS lines
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id WHERE e.reference = $1 GROUP BY e.id`;
const ROWS = `
  SELECT type, amount_cents AS amount, balance_after_cents AS balance FROM wallet_transactions
  WHERE $1 IN (charge_id, withdrawal_id) ORDER BY created_at, id`;

const APPLIED = 'SELECT FROM inbox WHERE event_id = ANY ($1::uuid[])';

async function ask(url: string, headers: Record<string, string>, body?: object): Promise<CallResult> {
  const json = { ...headers, 'content-type': 'application/json' };
  const posted = { method: 'POST', headers: json, body: JSON.stringify(body) };
  const answer = await fetch(url, body ? posted : { headers });
  return { status: answer.status, answer: await answer.json() };
}

interface OperatorCall {
  path: string;
  /** The request's body. With a body the call is a POST, without one a GET. */
  body?: object;
  role?: OperatorRole;
}

/** Calls a route as an operator, with the identity header that the gateway sends. */
export function asOperator(
  { url }: Pick<Ledger, 'url'>,
  { path, body, role = 'ADMIN' }: OperatorCall,
): Promise<CallResult> {
  return ask(url + path, operatorHeader({ role }), body);
}

const proofsOf = (debit: object) => ({ ...proofHeader(debit), ...decisionHeader(debit) });

interface WorldOptions {
  isShared?: boolean;
  databaseUrl?: string;
  tuning?: Tuning;
  settings?: Record<string, string>;
}

/** Each test file has a default operator of its own, who makes changes alone. */
async function employSingle({ gateway }: { gateway: FakeGateway }): Promise<void> {
  gateway.employ({ id: operatorId, role: 'ADMIN', isSingle: true });
}

/** Returns a shared ledger, for test files that neither need their own ledger nor damage its records. */
export const sharedWorld = () =>
  shareWorld({ name: 'books', start: () => startWorld({ isShared: true }), reset: employSingle });

/** Returns a shared ledger for test files that insert rows directly. Each file uses its own wallets. */
export const sharedSeededWorld = () =>
  shareWorld({ name: 'seeded books', start: () => startWorld({ isShared: true }), reset: employSingle });

/** Returns a connection with the ledger's own role. The connection closes before the environment stops. */
export function ownRoleIn(world: World): Database {
  const application = beforeFile(async () => openAt(world.env.DATABASE_URL ?? '', 1));
  beforeAll(() => world.stopFirst({ stop: () => application.close() }));
  return application;
}

export async function startWorld({ tuning, settings, ...infrastructure }: WorldOptions = {}): Promise<World> {
  const gateway = await startFakeGateway();
  await employSingle({ gateway });
  const world = await startServiceWorld({
    start: startLedger,
    tuning: { scheduleEveryMs: TICK_MS, ...tuning },
    migrations,
    fakes: { gateway },
    sealed: sealedRows,
    ...infrastructure,
    // Disable the periodic check of the ledger, because many tests damage its records on purpose.
    settings: {
      ...keySettings,
      GATEWAY_INTERNAL_URL: gateway.url,
      BOOKS_CHECK_EVERY_MINUTES: '0',
      ...settings,
    },
  });
  const { brokerUrl, database, first } = world;
  const emitter = await startEmitter(brokerUrl);
  const broker = await connect(brokerUrl);
  const channel = await broker.createConfirmChannel();
  world.stopFirst(emitter);
  world.stopFirst({ stop: () => broker.close() });

  const read: World['read'] = (reader, path, { url } = first) =>
    callerTo(url)(path, { headers: merchantHeader(reader) });

  return {
    ...world,
    emitter,
    async deliver(...announcements) {
      const ids = await emitter.announce(...announcements);
      await eventually(async () => expect(await database.query(APPLIED, [ids])).toHaveLength(ids.length));
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
    refund: (order, { url } = first) => ask(`${url}/internal/refunds`, serviceHeader('charges'), order),
    withdraw: (order, { url } = first, proof = proofHeader(order)) =>
      ask(`${url}/internal/withdrawals`, { ...serviceHeader('withdrawals'), ...proof }, order),
    read,
    async readRows(reader, path) {
      const { data, meta } = await read(reader, path);
      return { rows: api.getStatement.data.array().parse(data), meta };
    },
    async download(reader, path, accept = 'text/csv', { url } = first) {
      const answer = await fetch(url + path, { headers: { accept, ...merchantHeader(reader) } });
      const file = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, file, text: file.toString('utf8') };
    },
    askAs: (service, path, body) =>
      callerTo(first.url)(path, {
        headers: { ...serviceHeader(service), ...(body instanceof Object && proofsOf(body)) },
        ...(body === undefined ? {} : { method: 'POST', body }),
      }),
    balanceOf: async (tenant) => api.getBalance.data.parse((await read(tenant, '/v1/balance')).data),
    async send(body) {
      channel.sendToQueue(queueOf('ledger'), Buffer.from(body), { headers: signedHeaders(body) });
      await channel.waitForConfirms();
    },
    async deadLetters() {
      const rows = await database.query<{ body: Buffer }>('DELETE FROM dead_letters RETURNING body');
      return rows.map(({ body }) => body.toString('utf8'));
    },
  };
}
