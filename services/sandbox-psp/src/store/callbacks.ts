import { columnsOf, type Queryable, type Transaction } from '@plataforma/data';
import { type Backoff, type Claimed, createQueue, delaySql, type Leased } from '@plataforma/work';
import type { CallbackState, NewCallback } from '../domain/callback.ts';

/** The name of the signal that is sent when a transaction that queued callbacks commits. */
export const CALLBACKS_SIGNAL = 'callbacks';

/**
 * A new callback is due one second in the past, so that a replica whose clock is slow also delivers it at
 * once.
 */
const APPEND = `
  INSERT INTO callbacks (kind, subject, client_id, body, due_at)
  SELECT *, now() - interval '1 second' FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])`;

export async function appendCallbacks(tx: Transaction, callbacks: readonly NewCallback[]): Promise<void> {
  await tx.query(APPEND, [
    callbacks.map(({ kind }) => kind),
    callbacks.map(({ subject }) => subject),
    callbacks.map(({ clientId }) => clientId),
    callbacks.map(({ body }) => body),
  ]);
  tx.signalAfterCommit(CALLBACKS_SIGNAL);
}

/** The delays before retries: 1, 2, 4, 8, 16 and then always 30 seconds. */
export const callbackRetries: Backoff = { kind: 'doubling', firstMs: 1_000, longestMs: 30_000 };

/** A callback that is not delivered yet, and the lease of its current sender. */
export interface DueCallback extends NewCallback, Leased {
  id: string;
  /** The number of attempts, including the current attempt. */
  attempts: number;
  [column: string]: unknown;
}

export const dueCallbacks = createQueue<DueCallback>({
  table: 'callbacks',
  columns: columnsOf('id, kind, subject, client_id, body, attempts, lease_token, lease_until'),
  due: 'due_at',
  attempts: 'attempts',
  open: "state = 'PENDING'",
  hasEnvironments: false,
  lease: { token: 'lease_token', until: 'lease_until' },
});

const RECORD = `
  UPDATE callbacks
  SET state = $3, due_at = now() + ${delaySql(callbackRetries, 'attempts')}, lease_token = NULL,
  lease_until = NULL
  WHERE id = $1 AND lease_token = $2 AND state = 'PENDING'
  RETURNING true`;

/**
 * Records the outcome of an attempt. Changes nothing and returns false if the lease has expired and another
 * sender has leased the callback.
 */
export async function recordOutcome(
  db: Queryable,
  { item: { id }, lease: { token } }: Claimed<DueCallback>,
  state: CallbackState,
): Promise<boolean> {
  return (await db.query(RECORD, [id, token, state])).length > 0;
}
