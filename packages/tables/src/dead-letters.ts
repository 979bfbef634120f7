import {
  columnsOf,
  composeSql,
  type Database,
  type Page,
  type Queryable,
  readRows,
  type Slice,
  selected,
  type Transaction,
} from '@plataforma/data';
import { type DomainEvent, readEvent, type Verdict } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';

/** A message that the service set aside, because it could not be applied. */
export interface NewDeadLetter {
  /** The identity of the message. All copies of a message have the same fingerprint. */
  fingerprint: string;
  /**
   * The id of the event, even if this service can't read the event. The inbox keeps its partition for the
   * month of this id, because the event may still be applied later.
   */
  eventId: string | null;
  type: string | null;
  /** The result of the signature check. Null when the message is no event; it can then never be applied. */
  signature: Verdict | null;
  body: Buffer;
  reason: string | null;
  /** The time when the broker set the message aside. Null when the time is not known. */
  diedAt: Date | null;
}

export interface DeadLetter {
  id: string;
  eventId: string | null;
  type: string | null;
  /**
   * The result of the signature check. Null if the message is not an event, or if a release without checks
   * stored it.
   */
  signature: Verdict | null;
  reason: string | null;
  diedAt: Date;
  replayedAt: Date | null;
}

const SAVE = `
  INSERT INTO dead_letters (id, fingerprint, event_id, type, signature, body, reason, died_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, now()))
  ON CONFLICT (fingerprint) DO NOTHING`;

/** Saves a dead letter. A further copy of a saved dead letter changes nothing. */
export async function saveDeadLetter(db: Queryable, deadLetter: NewDeadLetter): Promise<void> {
  const { fingerprint, eventId, type, signature, body, reason, diedAt } = deadLetter;
  await db.query(SAVE, [newId(), fingerprint, eventId, type, signature, body, reason, diedAt]);
}

const COLUMNS = columnsOf('id, event_id, type, signature, reason, died_at, replayed_at');

interface DeadLetterFilter extends Slice {
  type?: string | undefined;
  isReplayed?: boolean | undefined;
}

/** Reads one page of dead letters, newest first, without their bodies. */
export async function listDeadLetters(
  db: Queryable,
  { type, isReplayed, ...slice }: DeadLetterFilter,
): Promise<Page<DeadLetter>> {
  const matching = composeSql('dead_letters')
    .select(selected(COLUMNS))
    .where((where) => {
      if (type !== undefined) where.andWhere({ type });
      if (isReplayed === true) where.whereNotNull('replayed_at');
      if (isReplayed === false) where.whereNull('replayed_at');
    });
  return readRows<DeadLetter>(db, { matching, newestBy: ['died_at', 'id'] }, slice);
}

export type WholeDeadLetter = DeadLetter & { body: Buffer };

const FIND = `SELECT ${COLUMNS.join(', ')}, body FROM dead_letters WHERE id = $1`;

export async function findDeadLetter(db: Queryable, id: string): Promise<WholeDeadLetter | undefined> {
  return (await db.query<WholeDeadLetter>(FIND, [id]))[0];
}

const LOCK = `${FIND} FOR UPDATE`;

export async function lockDeadLetter(tx: Transaction, id: string): Promise<WholeDeadLetter | undefined> {
  return (await tx.query<WholeDeadLetter>(LOCK, [id]))[0];
}

const MARK_REPLAYED = `
  UPDATE dead_letters SET replayed_at = now(), event_id = $2, type = $3 WHERE id = $1
  RETURNING replayed_at AS at`;

/** Marks a dead letter as replayed and returns the time of the replay. */
export async function markReplayed(
  tx: Transaction,
  { id, eventId, type }: Pick<DeadLetter, 'id' | 'eventId' | 'type'>,
): Promise<Date> {
  const [marked] = await tx.query<{ at: Date }>(MARK_REPLAYED, [id, eventId, type]);
  if (!marked) throw new Error('the locked dead letter is missing');
  return marked.at;
}

/** Returns the event in a body, or undefined when this release cannot read the event. */
export function eventIn(body: Buffer): DomainEvent | undefined {
  try {
    return readEvent(body);
  } catch {
    return undefined;
  }
}

const KEEP_REPLAYED_DAYS = 90;
const CHUNK = 5_000;

const PRUNE_DEAD_LETTERS = `
  DELETE FROM dead_letters WHERE id IN (
    SELECT id FROM dead_letters WHERE replayed_at < now() - interval '${KEEP_REPLAYED_DAYS} days'
    LIMIT ${CHUNK})
  RETURNING id`;

/**
 * The interval between two deletions of old dead letters. It is short, so that even a short-lived process
 * deletes some. Most deletions find nothing.
 */
const INTERVAL_MS = 60_000;

/**
 * Deletes dead letters that were replayed more than 90 days ago. It runs every minute and in short
 * transactions.
 */
export function startPruningDeadLetters(database: Database, log: Log): { stop(): Promise<void> } {
  const work = () => pruneDeadLetters(database);
  return every({ everyMs: INTERVAL_MS, log, name: 'prune dead letters', work });
}

export async function pruneDeadLetters(database: Database): Promise<void> {
  while ((await database.query(PRUNE_DEAD_LETTERS)).length === CHUNK);
}
