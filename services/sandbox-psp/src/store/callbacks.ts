import { randomUUID } from 'node:crypto';
import type { Queryable, Transaction } from '@plataforma/chassis';
import type { CallbackOutcome, ClaimedCallback, News, NewsKind } from '../domain/callback.ts';

/** Sent when a transaction that committed has left callbacks to send. */
export const CALLBACKS_SIGNAL = 'callbacks';

const APPEND = `
  INSERT INTO callbacks (kind, subject, client_id, body)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])`;

export async function appendCallbacks(tx: Transaction, news: readonly News[]): Promise<void> {
  await tx.query(APPEND, [
    news.map(({ kind }) => kind),
    news.map(({ subject }) => subject),
    news.map(({ clientId }) => clientId),
    news.map(({ body }) => body),
  ]);
  tx.signalAfterCommit(CALLBACKS_SIGNAL);
}

const CLAIM = `
  WITH due AS (
    SELECT kind, subject FROM callbacks
    WHERE state = 'PENDING' AND due_at <= now()
    ORDER BY due_at
    LIMIT $1
    FOR UPDATE SKIP LOCKED
  )
  UPDATE callbacks
  SET attempts = callbacks.attempts + 1, lease_token = $2, due_at = now() + $3 * interval '1 millisecond'
  FROM due
  WHERE callbacks.kind = due.kind AND callbacks.subject = due.subject
  RETURNING callbacks.kind, callbacks.subject, callbacks.client_id, callbacks.body, callbacks.attempts`;

interface ClaimedRow {
  kind: NewsKind;
  subject: string;
  client_id: string;
  body: string;
  attempts: number;
}

/** Takes up to `limit` callbacks that are due; for `leaseMs` nobody else gets them, after that anybody may. */
export async function claimCallbacks(
  db: Queryable,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedCallback[]> {
  const leaseToken = randomUUID();
  const rows = await db.query<ClaimedRow>(CLAIM, [limit, leaseToken, leaseMs]);
  return rows.map(({ client_id: clientId, ...row }) => ({ ...row, clientId, leaseToken }));
}

const RECORD = `
  UPDATE callbacks
  SET state = $4, due_at = now() + $5 * interval '1 millisecond', lease_token = NULL
  WHERE kind = $1 AND subject = $2 AND lease_token = $3
  RETURNING true`;

/** False when the lease ran out and the callback is another's by now: then nothing is written. */
export async function recordOutcome(
  db: Queryable,
  { kind, subject, leaseToken }: ClaimedCallback,
  outcome: CallbackOutcome,
): Promise<boolean> {
  const delayMs = outcome.delayMs ?? 0;
  const rows = await db.query(RECORD, [kind, subject, leaseToken, outcome.state, delayMs]);
  return rows.length > 0;
}
