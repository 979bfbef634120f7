import {
  columnsOf,
  composeSql,
  type Page,
  type Queryable,
  readRows,
  type Slice,
  selected,
  type Transaction,
} from '@plataforma/data';
import type { Verdict } from '@plataforma/events';
import { newId } from '@plataforma/kernel';
import type { NewDeadLetter } from './dead-letter.ts';

export interface DeadLetter {
  id: string;
  eventId: string | null;
  type: string | null;
  /** Null: it was not looked at, since it is no event or a release kept it that did not check any. */
  signature: Verdict | null;
  reason: string | null;
  diedAt: Date;
  replayedAt: Date | null;
}

const KEEP = `
  INSERT INTO dead_letters (id, fingerprint, event_id, type, signature, body, reason, died_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, now()))
  ON CONFLICT (fingerprint) DO NOTHING`;

/** Keeps a letter; a copy of one that is kept already changes nothing. */
export async function keepDeadLetter(db: Queryable, letter: NewDeadLetter): Promise<void> {
  const { fingerprint, eventId, type, signature, body, reason, diedAt } = letter;
  await db.query(KEEP, [newId(), fingerprint, eventId, type, signature, body, reason, diedAt]);
}

const COLUMNS = columnsOf('id, event_id, type, signature, reason, died_at, replayed_at');

interface Wanted extends Slice {
  type?: string | undefined;
  isReplayed?: boolean | undefined;
}

/** One page of letters, newest first, without their bodies. */
export async function listDeadLetters(
  db: Queryable,
  { type, isReplayed, ...slice }: Wanted,
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
  return (await db.query<WholeDeadLetter & Record<string, unknown>>(FIND, [id]))[0];
}

const LOCK = `${FIND} FOR UPDATE`;

export async function lockDeadLetter(tx: Transaction, id: string): Promise<WholeDeadLetter | undefined> {
  return (await tx.query<WholeDeadLetter & Record<string, unknown>>(LOCK, [id]))[0];
}

const MARK_REPLAYED = `
  UPDATE dead_letters SET replayed_at = now(), event_id = $2, type = $3 WHERE id = $1 RETURNING replayed_at AS at`;

/** Answers when. */
export async function markReplayed(
  tx: Transaction,
  { id, eventId, type }: Pick<DeadLetter, 'id' | 'eventId' | 'type'>,
): Promise<Date> {
  const [marked] = await tx.query<{ at: Date }>(MARK_REPLAYED, [id, eventId, type]);
  if (!marked) throw new Error('the letter that was locked is gone');
  return marked.at;
}
