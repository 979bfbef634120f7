import type { Database, Queryable, SecretBox, Transaction } from '@plataforma/data';
import { type Environment, Refusal } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';

/** Whose a key is: a merchant's in one environment, a merchant's account's (its sessions have none), or an operator's. */
export interface KeyOwner {
  realm: Environment | 'account' | 'operator';
  /** Of the merchant, or of the operator. */
  id: string;
}

/** A request and the key its sender calls it by. */
export interface KeyedRequest {
  owner: KeyOwner;
  key: string;
  requestHash: string;
  /** Whether that is the hash of this request. */
  isHashedAs(requestHash: string): boolean;
  /** Seals the answer; null where request and answer hold no secret. */
  secretBox: SecretBox | null;
}

/** As it was sent, and is sent again: status and JSON text. */
export interface KeptAnswer {
  status: number;
  text: string;
}

export type RequestProgress =
  | { is: 'new' }
  | { is: 'begun'; begunId: string }
  | ({ is: 'answered' } & KeptAnswer);

/** Another request with the key was faster: what this one did is rolled back, and it looks again. */
export class KeyTaken extends Error {}

const FIND = `
  SELECT request_hash, begun_id, status, answer, sealing_key_id FROM idempotency_keys
  WHERE owner_id = $1 AND realm = $2 AND key = $3`;

interface KeyRow {
  request_hash: string;
  begun_id: string | null;
  status: number | null;
  answer: string | null;
  sealing_key_id: string | null;
}

/** How far the request has come before. Refuses with IDEMPOTENCY_CONFLICT when the key is another request's. */
export async function requestProgressOf(db: Queryable, request: KeyedRequest): Promise<RequestProgress> {
  const [row] = await db.query<KeyRow>(FIND, [request.owner.id, request.owner.realm, request.key]);
  if (!row) return { is: 'new' };
  if (!request.isHashedAs(row.request_hash)) {
    const message = 'Idempotency-Key: was sent with another request; use a new one';
    throw new Refusal('conflict', 'IDEMPOTENCY_CONFLICT', message);
  }
  const { status, answer, sealing_key_id: keyId, begun_id: begunId } = row;
  if (status === null || answer === null) return { is: 'begun', begunId: begunId ?? '' };
  if (keyId === null) return { is: 'answered', status, text: answer };
  if (!request.secretBox)
    throw new Error('a kept answer is sealed, and its endpoint says nothing of secrets');
  const sealed = { keyId, sealed: Buffer.from(answer, 'base64') };
  return { is: 'answered', status, text: request.secretBox.open(sealed, sealedFor(request)) };
}

/** What an answer is sealed for: put beside another key, it does not open. */
function sealedFor({ owner, key }: KeyedRequest): string {
  return `${owner.realm} ${owner.id} ${key}`;
}

const BEGIN = `
  INSERT INTO idempotency_keys (owner_id, realm, key, request_hash, begun_id)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`;

/** Notes, in the transaction of a request's first step, what it has begun. Throws KeyTaken. */
export async function noteBegun(tx: Transaction, request: KeyedRequest, begunId: string): Promise<void> {
  const { owner, key, requestHash } = request;
  const rows = await tx.query(BEGIN, [owner.id, owner.realm, key, requestHash, begunId]);
  if (rows.length === 0) throw new KeyTaken();
}

const KEEP = `
  INSERT INTO idempotency_keys AS known (owner_id, realm, key, request_hash, status, answer, sealing_key_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (owner_id, realm, key)
    DO UPDATE SET status = excluded.status, answer = excluded.answer, sealing_key_id = excluded.sealing_key_id
    WHERE known.status IS NULL AND known.begun_id = $8
  RETURNING 1`;

/**
 * Keeps the answer in the transaction of the effect. Throws KeyTaken, also when another has begun something under the
 * key: the answer is told by who goes on with that, which is `begunId`, or null.
 */
export async function keepAnswer(
  tx: Transaction,
  request: KeyedRequest,
  { status, text, begunId }: KeptAnswer & { begunId: string | null },
): Promise<void> {
  const { owner, key, requestHash, secretBox } = request;
  const sealed = secretBox?.seal(text, sealedFor(request));
  const answer = sealed ? sealed.sealed.toString('base64') : text;
  const values = [owner.id, owner.realm, key, requestHash, status, answer, sealed?.keyId ?? null, begunId];
  const rows = await tx.query(KEEP, values);
  if (rows.length === 0) throw new KeyTaken();
}

/** Short, because a process that never runs for longer must forget, too; most times there is nothing to do. */
const INTERVAL_MS = 60_000;
const CHUNK = 5_000;
const FORGET = `
  DELETE FROM idempotency_keys WHERE (owner_id, realm, key) IN (
    SELECT owner_id, realm, key FROM idempotency_keys
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
