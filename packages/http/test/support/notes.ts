import { beforeEach } from '@jest/globals';
import type { Endpoint } from '@plataforma/contracts';
import {
  createSecretBox,
  type Database,
  migrate,
  openDatabase,
  type SealingKey,
  type SecretBox,
  type Transaction,
} from '@plataforma/data';
import { newId, Refusal } from '@plataforma/kernel';
import { outboxSeals, sealedResponses, sharedTables } from '@plataforma/tables';
import { createTestDatabase } from '@plataforma/testing';
import { newKeyPair, send, serving, silent, trusting, worldOfFile } from '@plataforma/testing/fixtures';
import { z } from 'zod';
import {
  createSigner,
  createVerifier,
  IDENTITY_HEADER,
  type IdempotencyRecord,
  type Identity,
  type MerchantIdentity,
  merchantOf,
  serveIdempotent,
  serveIdempotentTo,
  serveOperatorIdempotent,
} from '../../src/index.ts';

const own = newKeyPair();
const verifier = createVerifier('ledger', trusting({ gateway: own.publicKey }));
const gateway = createSigner('gateway', own.privateKey);

const notesTable = {
  name: '001_notes',
  sql: 'CREATE TABLE notes (id uuid PRIMARY KEY, text text NOT NULL, is_done boolean NOT NULL)',
};

const endpoint = {
  method: 'post',
  path: '/v1/notes',
  service: 'ledger',
  access: { kind: 'merchant', anyOf: ['wallet:read'], spends: false },
  summary: 'Keeps a note',
  params: z.object({}),
  query: z.object({}),
  body: z.object({ text: z.string().max(100) }),
  status: 201,
  keyed: true,
  data: z.object({ id: z.uuid(), text: z.string() }),
  errors: [],
} as const satisfies Endpoint;

type EndpointOfNotes = Omit<typeof endpoint, 'path' | 'access'> &
  Pick<Endpoint, 'path' | 'access' | 'carriesSecret'>;
interface StoredNote {
  data: { id: string; text: string };
}

const secretNotes: EndpointOfNotes = { ...endpoint, path: '/v1/secret-notes', carriesSecret: true };
const accountNotes: EndpointOfNotes = { ...endpoint, path: '/v1/account-notes', access: { kind: 'bearer' } };
const operatorsNotes: EndpointOfNotes = {
  ...endpoint,
  path: '/v1/admin/notes',
  access: { kind: 'operator', roles: ['ADMIN'] },
};

type Path = '/v1/notes' | '/v1/long-notes' | '/v1/secret-notes' | '/v1/account-notes' | '/v1/admin/notes';

export function newMerchant(changes: Partial<MerchantIdentity> = {}): MerchantIdentity {
  return {
    kind: 'merchant',
    merchantId: newId(),
    environment: 'sandbox',
    scopes: ['wallet:read'],
    ...changes,
  };
}

interface AnswerOfNotes {
  status: number;
  text: string;
  isReplay: boolean;
}

/** Actions of a test that run between the steps of an operation. */
interface Interruptions {
  beforeKeep(): Promise<void>;
  beforeBegin(): Promise<void>;
  betweenSteps(): Promise<void>;
}

export interface Notes {
  database: Database;
  /**
   * Sets the actions that the test runs between the steps of an operation. Without an argument, no action
   * runs.
   */
  interrupt(by?: Partial<Interruptions>): void;
  /** Sends a note. `/v1/long-notes` stores it in two transactions, every other path in one. */
  post(
    body: unknown,
    how?: { key?: string | undefined; merchant?: Identity; path?: Path },
  ): Promise<AnswerOfNotes>;
  /** Replaces the keys that seal the answers of `/v1/secret-notes`. */
  sealWith(...keys: [SealingKey, ...SealingKey[]]): void;
  texts(): Promise<string[]>;
  stop(): Promise<void>;
}

const undisturbed: Interruptions = {
  beforeKeep: async () => undefined,
  beforeBegin: async () => undefined,
  betweenSteps: async () => undefined,
};

const COUNT = 'SELECT count(*) AS number FROM notes WHERE text = $1';

async function expectNone(tx: Transaction, text: string): Promise<void> {
  const [existing] = await tx.query<{ number: number }>(COUNT, [text]);
  if (existing && existing.number > 0) throw new Refusal('conflict', 'INVALID_STATE', 'it is there already');
}

const INSERT = 'INSERT INTO notes (id, text, is_done) VALUES ($1, $2, $3)';
const FINISH = 'UPDATE notes SET is_done = true WHERE id = $1 RETURNING text';

/**
 * Starts a service that stores notes: `/v1/notes` in one transaction, `/v1/long-notes` in two. It always
 * refuses the text `no`, and refuses the text `only one` if such a note exists.
 */
async function startNotes(): Promise<Notes> {
  const home = await createTestDatabase();
  await migrate(home.url, [sharedTables, outboxSeals, sealedResponses, notesTable]);
  const database = openDatabase({ url: home.url, poolSize: 8, log: silent });
  let on = undisturbed;
  let box = createSecretBox([FIRST]);
  const secretBox: SecretBox = {
    seal: (...given) => box.seal(...given),
    openBytes: (sealed, owner) => box.openBytes(sealed, owner),
    openPieces: (sealed, owner) => box.openPieces(sealed, owner),
    open: (...given) => box.open(...given),
    mark: (...given) => box.mark(...given),
    isMarkOf: (...given) => box.isMarkOf(...given),
  };

  async function inOneStep(text: string, idempotency: IdempotencyRecord<StoredNote>) {
    const answer = { data: { id: newId(), text } };
    await on.beforeKeep();
    return database.transaction(async (tx) => {
      if (text === 'only one') await expectNone(tx, text);
      const outcome = text === 'no' ? new Refusal('unprocessable', 'INVALID_STATE', 'not this') : answer;
      if (!(outcome instanceof Refusal)) await tx.query(INSERT, [answer.data.id, text, true]);
      await idempotency.saveResponse(tx, outcome);
      return outcome;
    });
  }

  async function inTwoSteps(text: string, idempotency: IdempotencyRecord<StoredNote>) {
    const id = idempotency.begunId ?? newId();
    if (idempotency.begunId === null) {
      await on.beforeBegin();
      await database.transaction(async (tx) => {
        await tx.query(INSERT, [id, text, false]);
        await idempotency.start(tx, id);
      });
    }
    await on.betweenSteps();
    return database.transaction(async (tx) => {
      const [row] = await tx.query<{ text: string }>(FINISH, [id]);
      const answer = { data: { id, text: row?.text ?? '' } };
      await idempotency.saveResponse(tx, answer);
      return answer;
    });
  }

  async function given(work: typeof inOneStep, text: string, idempotency: IdempotencyRecord<StoredNote>) {
    const outcome = await work(text, idempotency);
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  }

  const show = (stored: StoredNote) => stored;
  const server = await serving((app) => {
    for (const [path, work] of [
      ['/v1/notes', inOneStep],
      ['/v1/long-notes', inTwoSteps],
    ] as const) {
      const notes: EndpointOfNotes = { ...endpoint, path };
      serveIdempotent(app, notes, {
        ...{ verifier, database, show },
        work: ({ body }, _merchant, idempotency) => given(work, body.text, idempotency),
      });
    }
    serveIdempotent(app, secretNotes, {
      ...{ verifier, database, secretBox, show },
      work: ({ body }, _merchant, idempotency) => given(inOneStep, body.text, idempotency),
    });
    serveIdempotentTo(app, accountNotes, {
      authenticate: (req) => merchantOf(req, verifier, endpoint),
      ownerOf: ({ merchantId }) => ({ realm: 'account', id: merchantId }),
      ...{ database, show },
      work: ({ body }, _session, idempotency) => given(inOneStep, body.text, idempotency),
    });
    serveOperatorIdempotent(app, operatorsNotes, {
      ...{ verifier, database, show },
      work: ({ body }, _operator, idempotency) => given(inOneStep, body.text, idempotency),
    });
  });

  return {
    database,
    interrupt(by = {}) {
      on = { ...undisturbed, ...by };
    },
    async post(body, { key, merchant = newMerchant(), path = '/v1/notes' } = {}) {
      const { status, headers, text } = await send(server.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [IDENTITY_HEADER]: gateway.sign(merchant, 'ledger'),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status, text, isReplay: headers['idempotency-replayed'] === 'true' };
    },
    sealWith(...keys) {
      box = createSecretBox(keys);
    },
    async texts() {
      const rows = await database.query<{ text: string }>('SELECT text FROM notes ORDER BY id');
      return rows.map(({ text }) => text);
    },
    async stop() {
      await server.stop();
      await database.close();
    },
  };
}

export const FIRST = { id: 'first', key: Buffer.alloc(32, 1) };

/** Starts the service of notes for a test file. Before each test it has no notes, keys or interruptions. */
export function notesOfFile(): Notes {
  const notes = worldOfFile(startNotes);
  beforeEach(async () => {
    notes.interrupt();
    notes.sealWith(FIRST);
    await notes.database.query('TRUNCATE notes, idempotency_keys');
  });
  return notes;
}

export const LONG = '/v1/long-notes';
export const codeOf = ({ text }: { text: string }) => JSON.parse(text).error?.code;

export async function countKeys({ database }: Notes): Promise<number | undefined> {
  const rows = await database.query<{ number: number }>('SELECT count(*) AS number FROM idempotency_keys');
  return rows[0]?.number;
}
