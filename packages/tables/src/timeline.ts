import type { TimelineRecords } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { traceIn } from '@plataforma/observe';
import { aggregateOf } from './aggregate.ts';
import { auditTimelineOf, TIMELINE_LIMIT } from './audit-timeline.ts';
import { eventIn } from './dead-letters.ts';

type Entry = TimelineRecords['entries'][number];

const AGGREGATE = aggregateOf('body');

/**
 * The maximum number of unpublished events that a timeline reads. More events than this wait only while the
 * broker is unavailable.
 */
const MAX_UNPUBLISHED_READ = 5_000;

const COLUMNS = 'event_id, type, body, attempts, created_at, published_at, position';

const ANNOUNCED = `
  SELECT ${COLUMNS} FROM (
    SELECT o.* FROM unnest($1::text[]) AS wanted (id)
    JOIN LATERAL (SELECT * FROM outbox
      WHERE published_at IS NOT NULL AND ${AGGREGATE} = wanted.id OFFSET 0) o ON true
    UNION ALL
    SELECT waiting.* FROM (
      SELECT * FROM outbox WHERE published_at IS NULL ORDER BY position DESC
      LIMIT ${MAX_UNPUBLISHED_READ}) AS waiting
    WHERE ${AGGREGATE} = ANY ($1::text[])) AS announced
  ORDER BY position DESC LIMIT $2`;

interface AnnouncedRow {
  event_id: string;
  type: string;
  body: string;
  attempts: number;
  created_at: Date;
  published_at: Date | null;
}

async function announcementsOf(db: Queryable, ids: readonly string[]): Promise<Entry[]> {
  const rows = await db.queryUnprepared<AnnouncedRow>(ANNOUNCED, [ids, TIMELINE_LIMIT]);
  return rows.reverse().map(({ event_id: eventId, type, body, attempts, ...row }) => {
    const event = eventIn(Buffer.from(body));
    // An event that this release cannot read is listed with the time of its row.
    const at = event ? new Date(event.occurredAt) : row.created_at;
    const sequence = event?.sequence ?? null;
    const detail = { eventId, type, sequence, publishedAt: row.published_at, attempts };
    return { at, kind: 'announcement', what: `${type} was announced`, detail, ...traceOf(event) };
  });
}

const MAX_DEAD_LETTERS_READ = 1_000;
const MAX_DEAD_LETTER_BYTES = 65_536;

const FIND_DEAD_LETTERS = `
  SELECT id, event_id, type, signature, reason, died_at, replayed_at, body FROM (
    SELECT * FROM dead_letters ORDER BY died_at DESC, id DESC LIMIT ${MAX_DEAD_LETTERS_READ}) AS newest
  WHERE octet_length(body) <= ${MAX_DEAD_LETTER_BYTES} AND EXISTS (
    SELECT FROM unnest($1::text[]) AS wanted (id) WHERE position(convert_to(wanted.id, 'UTF8') IN body) > 0)
  ORDER BY died_at DESC, id DESC LIMIT $2`;

interface DeadLetterRow {
  id: string;
  event_id: string | null;
  type: string | null;
  signature: string | null;
  reason: string | null;
  died_at: Date;
  replayed_at: Date | null;
  body: Buffer;
}

function entryOf({ id: deadLetterId, type, reason, event_id: eventId, ...row }: DeadLetterRow): Entry {
  const detail = { deadLetterId, eventId, type, reason, replayedAt: row.replayed_at };
  const isForged = row.signature === 'invalid';
  const what = `${type ?? 'an event'} ${isForged ? 'was refused: its producer did not sign it' : 'could not be applied'}`;
  return { at: row.died_at, kind: 'dead_letter', what, detail, ...traceOf(eventIn(row.body)) };
}

function traceOf(event: DomainEvent | undefined): { traceId?: string } {
  return traceIn(event?.traceparent ?? null);
}

/**
 * Lists the records of these ids in the shared tables: announced events, events that the service could not
 * apply, and operators' changes.
 */
export async function messagesAbout(db: Queryable, ids: readonly string[]): Promise<Entry[]> {
  const deadLetters = await db.queryUnprepared<DeadLetterRow>(FIND_DEAD_LETTERS, [ids, TIMELINE_LIMIT]);
  const [announced, decisions] = await Promise.all([
    announcementsOf(db, ids),
    auditTimelineOf(db, [...ids, ...deadLetters.map(({ id }) => id)]),
  ]);
  return [...decisions, ...announced, ...deadLetters.reverse().map(entryOf)];
}
