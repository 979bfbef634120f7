import type { Database, Migration, Queryable, SecretBox, Transaction } from '@plataforma/data';
import { type Environment, Refusal } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';
import { FORWARD_FUNCTIONS } from './forward-rows.ts';
import { requireTrusted, sealOf } from './row-seals.ts';
import { rowsToSeal } from './seal-rows.ts';

/**
 * The owner of an idempotency key: a merchant in one environment, an operator, or a merchant's account.
 * Sessions use the account, because they have no environment.
 */
export interface KeyOwner {
  realm: Environment | 'account' | 'operator';
  /** The id of the merchant or of the operator. */
  id: string;
}

export interface KeyedRequest {
  owner: KeyOwner;
  key: string;
  requestHash: string;
  /** Returns true when `requestHash` is the plain hash or the keyed hash of this request. */
  isHashedAs(requestHash: string): boolean;
  /** The box that seals the saved response. Null when neither the request nor the response holds a secret. */
  secretBox: SecretBox | null;
}

/**
 * Adds the seals of idempotency records, and refuses to delete a record that a repeat may still need. Without
 * the record, a repeated order would be carried out a second time.
 */
export const sealedResponses: Migration = {
  name: 'sealed_responses',
  sql: `${FORWARD_FUNCTIONS}
    ALTER TABLE idempotency_keys ADD COLUMN seal text;
    CREATE TRIGGER idempotency_keys_kept BEFORE DELETE ON idempotency_keys FOR EACH ROW
      WHEN (OLD.created_at > now() - interval '23 hours') EXECUTE FUNCTION refuse_loss();
    CREATE TRIGGER idempotency_keys_stay BEFORE UPDATE OF owner_id, realm, key, created_at ON idempotency_keys
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();`,
};

/** The idempotency records, for a command that seals existing rows. */
export const responsesToSeal = rowsToSeal(
  'idempotency_keys',
  ['request_hash', 'begun_id', 'status', 'answer', 'sealing_key_id'],
  {
    ...{ key: "(realm || ' ' || owner_id || ' ' || key)", keyType: 'text' },
    keyColumns: {
      names: 'owner_id, realm, key',
      valuesOf: (text) => `split_part(${text}, ' ', 2)::uuid, split_part(${text}, ' ', 1),
        regexp_replace(${text}, '^\\S+ \\S+ ', '')`,
    },
  },
);

/** The response that every repeat of the request gets: the status and the JSON text. */
export interface SavedResponse {
  status: number;
  text: string;
}

export type RequestProgress =
  | { is: 'new' }
  | { is: 'begun'; begunId: string }
  | ({ is: 'answered' } & SavedResponse);

/**
 * Thrown when another request with the same key has stored its idempotency record first. The slower request
 * then rolls back and reads that record.
 */
export class KeyTaken extends Error {}

const FIND = `
  SELECT request_hash, begun_id, status, answer, sealing_key_id, seal FROM idempotency_keys
  WHERE owner_id = $1 AND realm = $2 AND key = $3`;

/** The sealed fields. `begun_id` is null if no work was recorded, `status` and `answer` before a response. */
interface SealedRecord {
  request_hash: string;
  begun_id: string | null;
  status: number | null;
  answer: string | null;
  sealing_key_id: string | null;
}

type KeyRow = SealedRecord & { seal: string | null };

const idOf = ({ owner, key }: KeyedRequest) => `${owner.realm} ${owner.id} ${key}`;

function sealFor(tx: Transaction, request: KeyedRequest, fields: Partial<SealedRecord>): string | null {
  const row = { id: idOf(request), request_hash: request.requestHash, ...fields };
  return sealOf(tx, responsesToSeal.table, row);
}

/**
 * Returns the progress of a request. Refuses with IDEMPOTENCY_CONFLICT when the key belongs to another
 * request, and with INVALID_STATE when the record has no valid seal.
 */
export async function findRequestProgress(db: Queryable, request: KeyedRequest): Promise<RequestProgress> {
  const [row] = await db.query<KeyRow>(FIND, [request.owner.id, request.owner.realm, request.key]);
  if (!row) return { is: 'new' };
  if (!request.isHashedAs(row.request_hash)) {
    const message = 'Idempotency-Key: was sent with another request; use a new one';
    throw new Refusal('conflict', 'IDEMPOTENCY_CONFLICT', message);
  }
  requireTrusted(db, responsesToSeal.table, { ...row, id: idOf(request) });
  const { status, answer, sealing_key_id: keyId, begun_id: begunId } = row;
  if (status === null || answer === null) return { is: 'begun', begunId: begunId ?? '' };
  if (keyId === null) return { is: 'answered', status, text: answer };
  if (!request.secretBox) throw new Error('a saved response is sealed, but its endpoint declares no secrets');
  const sealed = { keyId, sealed: Buffer.from(answer, 'base64') };
  // The encryption is bound to the idempotency key, so that no response of another key can be opened.
  return { is: 'answered', status, text: request.secretBox.open(sealed, idOf(request)) };
}

const START = `
  INSERT INTO idempotency_keys (owner_id, realm, key, request_hash, begun_id, seal)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`;

/**
 * Records the id of the work that a request begins, in the transaction of its first step. Throws KeyTaken
 * when another request already uses the key.
 */
export async function recordStart(tx: Transaction, request: KeyedRequest, begunId: string): Promise<void> {
  const { owner, key, requestHash } = request;
  const seal = sealFor(tx, request, { begun_id: begunId });
  const rows = await tx.query(START, [owner.id, owner.realm, key, requestHash, begunId, seal]);
  if (rows.length === 0) throw new KeyTaken();
}

const SAVE = `
  INSERT INTO idempotency_keys AS known
    (owner_id, realm, key, request_hash, status, answer, sealing_key_id, begun_id, seal)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (owner_id, realm, key)
    DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer,
      sealing_key_id = excluded.sealing_key_id, seal = excluded.seal
    WHERE known.status IS NULL AND known.begun_id = $8
  RETURNING 1`;

/**
 * Saves the response in the transaction of the effect. Throws KeyTaken when another request has saved a
 * response, or has begun work other than `begunId`.
 */
export async function saveResponse(
  tx: Transaction,
  request: KeyedRequest,
  { status, text, begunId }: SavedResponse & { begunId: string | null },
): Promise<void> {
  const { owner, key, requestHash, secretBox } = request;
  const encrypted = secretBox?.seal(text, idOf(request));
  const answer = encrypted ? encrypted.sealed.toString('base64') : text;
  const keyId = encrypted?.keyId ?? null;
  const seal = sealFor(tx, request, { begun_id: begunId, status, answer, sealing_key_id: keyId });
  const values = [owner.id, owner.realm, key, requestHash, status, answer, keyId, begunId, seal];
  const rows = await tx.query(SAVE, values);
  if (rows.length === 0) throw new KeyTaken();
}

/**
 * The interval between two deletions of old keys. It is short, so that even a short-lived process deletes
 * some. Most deletions find nothing.
 */
const INTERVAL_MS = 60_000;
const CHUNK = 5_000;
const FORGET = `
  DELETE FROM idempotency_keys WHERE (owner_id, realm, key) IN (
    SELECT owner_id, realm, key FROM idempotency_keys
    WHERE created_at < now() - interval '24 hours' LIMIT ${CHUNK})
  RETURNING 1`;

/** Deletes idempotency keys that are older than 24 hours. The default interval is one minute. */
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
