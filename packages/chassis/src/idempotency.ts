import { createHash } from 'node:crypto';
import { Refusal, type Tenant } from '@plataforma/kernel';
import type { Database, Queryable, Transaction } from './database.ts';
import { every } from './every.ts';
import type { Log } from './log.ts';
import type { Migration } from './migrate.ts';

/** The answers to requests that carried an `Idempotency-Key`, in the database of the service that gave them. */
export const idempotencyTable: Migration = {
  name: 'idempotency_keys',
  sql: `
    CREATE TABLE idempotency_keys (
      merchant_id  uuid NOT NULL,
      environment  text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      key          text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
      request_hash text NOT NULL,
      -- What a request of several steps has begun; its answer comes with the last of them.
      begun_id     uuid,
      status       smallint,
      answer       text,
      created_at   timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (merchant_id, environment, key),
      CHECK ((status IS NULL) = (answer IS NULL)),
      CHECK (begun_id IS NOT NULL OR status IS NOT NULL)
    );
    -- What is old enough to be forgotten.
    CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
  `,
};

/** A request and the key its sender calls it by. */
export interface KeyedRequest extends Tenant {
  key: string;
  requestHash: string;
}

/** As it was sent, and is sent again: status and JSON text. */
export interface KeptAnswer {
  status: number;
  text: string;
}

export type Standing = { is: 'new' } | { is: 'begun'; begunId: string } | ({ is: 'answered' } & KeptAnswer);

/** Another request with the key was faster: what this one did is rolled back, and it looks again. */
export class KeyTaken extends Error {}

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

interface Sent {
  header: string | undefined;
  tenant: Tenant;
  method: string;
  path: string;
  body: unknown;
}

/**
 * What a request with an `Idempotency-Key` is told apart by: 1 to 255 printable characters, else VALIDATION_ERROR.
 * Bodies are the same when they are the same JSON, whatever the order of fields. Null without the header.
 */
export function keyedRequest({ header, tenant, method, path, body }: Sent): KeyedRequest | null {
  if (header === undefined) return null;
  if (!PRINTABLE.test(header)) {
    throw new Refusal(
      'invalid',
      'VALIDATION_ERROR',
      'Idempotency-Key: must be 1 to 255 printable characters',
    );
  }
  const text = `${method} ${path}\n${canonical(body ?? {})}`;
  const requestHash = createHash('sha256').update(text).digest('base64url');
  return { merchantId: tenant.merchantId, environment: tenant.environment, key: header, requestHash };
}

/** One text for each JSON value: the names of every object, the length of every list, then what is in them. */
function canonical(body: unknown): string {
  const texts: string[] = [];
  // A list that grows and no recursion: a body of 100 KiB may be nested deeper than the stack is.
  const values = [body];
  for (const value of values) {
    if (Array.isArray(value)) {
      texts.push(`[${value.length}]`);
      for (const part of value) values.push(part);
    } else if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
      texts.push(JSON.stringify(fields.map(([name]) => name)));
      for (const [, part] of fields) values.push(part);
    } else texts.push(JSON.stringify(value));
  }
  return texts.join('\n');
}

const FIND = `
  SELECT request_hash, begun_id, status, answer FROM idempotency_keys
  WHERE merchant_id = $1 AND environment = $2 AND key = $3`;

interface KeyRow {
  request_hash: string;
  begun_id: string | null;
  status: number | null;
  answer: string | null;
  [column: string]: unknown;
}

/** How far the request has come before. Refuses with IDEMPOTENCY_CONFLICT when the key is another request's. */
export async function standingOf(db: Queryable, request: KeyedRequest): Promise<Standing> {
  const [row] = await db.query<KeyRow>(FIND, [request.merchantId, request.environment, request.key]);
  if (!row) return { is: 'new' };
  if (row.request_hash !== request.requestHash) {
    const message = 'Idempotency-Key: was sent with another request; use a new one';
    throw new Refusal('conflict', 'IDEMPOTENCY_CONFLICT', message);
  }
  if (row.status !== null && row.answer !== null)
    return { is: 'answered', status: row.status, text: row.answer };
  return { is: 'begun', begunId: row.begun_id ?? '' };
}

const BEGIN = `
  INSERT INTO idempotency_keys (merchant_id, environment, key, request_hash, begun_id)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`;

/** Notes, in the transaction of a request's first step, what it has begun. Throws KeyTaken. */
export async function noteBegun(tx: Transaction, request: KeyedRequest, begunId: string): Promise<void> {
  const { merchantId, environment, key, requestHash } = request;
  const rows = await tx.query(BEGIN, [merchantId, environment, key, requestHash, begunId]);
  if (rows.length === 0) throw new KeyTaken();
}

const KEEP = `
  INSERT INTO idempotency_keys AS known (merchant_id, environment, key, request_hash, status, answer)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (merchant_id, environment, key) DO UPDATE SET status = excluded.status, answer = excluded.answer
    WHERE known.status IS NULL AND known.request_hash = excluded.request_hash
  RETURNING 1`;

/** Keeps the answer in the transaction of the effect. Throws KeyTaken. */
export async function keepAnswer(
  tx: Transaction,
  { merchantId, environment, key, requestHash }: KeyedRequest,
  { status, text }: KeptAnswer,
): Promise<void> {
  const rows = await tx.query(KEEP, [merchantId, environment, key, requestHash, status, text]);
  if (rows.length === 0) throw new KeyTaken();
}

/** Short, because a process that never runs for longer must forget, too; most times there is nothing to do. */
const INTERVAL_MS = 60_000;
const CHUNK = 5_000;
const FORGET = `
  DELETE FROM idempotency_keys WHERE (merchant_id, environment, key) IN (
    SELECT merchant_id, environment, key FROM idempotency_keys
    WHERE created_at < now() - interval '24 hours' LIMIT ${CHUNK})
  RETURNING 1`;

/** Every minute, unless told otherwise, forgets the keys of more than 24 hours ago. */
export function startForgettingKeys(
  database: Database,
  log: Log,
  everyMs = INTERVAL_MS,
): { stop(): Promise<void> } {
  return every({
    everyMs,
    log,
    name: 'forget idempotency keys',
    work: async () => {
      while ((await database.query(FORGET)).length === CHUNK);
    },
  });
}
