import type { TimelineRecords } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { demandService, type Verifier, validate } from '@plataforma/http';
import { isUuid } from '@plataforma/kernel';
import { mask, traceIdOf } from '@plataforma/observe';
import type { IRouter } from 'express';
import { z } from 'zod';

/** Of each service; what is older is cut. */
const MAX_ENTRIES = 500;
/** The subject and what belongs to it. */
const MAX_IDS = 100;

/** One more than is shown of anything, so that it is known when there is more. */
export const TIMELINE_LIMIT = MAX_ENTRIES + 1;

type Entry = TimelineRecords['entries'][number];

const query = z.strictObject({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .refine((ids) => ids.length <= MAX_IDS && ids.every(isUuid), `must be 1 to ${MAX_IDS} ids`),
});

interface ServeTimeline {
  verifier: Verifier;
  /** What is on record of the first id, or of all of them; in any order. */
  read: (ids: string[]) => Promise<TimelineRecords>;
}

/** Tells the gateway what this service has on record of a charge or a withdrawal. */
export function serveTimeline(router: IRouter, { verifier, read }: ServeTimeline): void {
  router.get('/internal/timeline', async (req, res) => {
    demandService(req, verifier, 'gateway');
    const { related, entries, isCut = false, ...rest } = await read(validate(query, req.query).ids);
    // Stable: what has one time stays in the order in which the service tells it.
    const inOrder = entries.toSorted((one, other) => one.at.getTime() - other.at.getTime());
    const data = {
      ...rest,
      related: related.slice(0, MAX_IDS - 1),
      isCut: isCut || related.length >= MAX_IDS || entries.length > MAX_ENTRIES,
      entries: inOrder.slice(-MAX_ENTRIES),
    };
    res.json({ success: true, data });
  });
}

/** Of what a service has never heard of. */
export const nothingOnRecord: TimelineRecords = {
  subject: null,
  related: [],
  belongsTo: null,
  now: null,
  entries: [],
};

/** Somebody's own words: what is known by its shape is masked, a name among them is not. */
export function wordsOf(text: string | null): string | null {
  return text === null ? null : mask(text);
}

/** The trace to look for in the logs, where one was kept. */
export function traceIn(traceparent: string | null): { traceId?: string } {
  return traceparent === null ? {} : { traceId: traceIdOf(traceparent) };
}

/** Each subject by itself: walked by its number alone, the whole log might be read. */
const DECISIONS = `
  SELECT a.at, a.operator_id, a.action, a.subject_id, a.before, a.after, a.reason, a.sequence
  FROM unnest($1::uuid[]) AS wanted (id)
  JOIN LATERAL (SELECT * FROM audit_log WHERE subject_id = wanted.id ORDER BY sequence DESC LIMIT $2) a ON true
  ORDER BY a.sequence`;

interface DecisionRow {
  at: Date;
  operator_id: string;
  action: string;
  subject_id: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string | null;
  sequence: number;
  [column: string]: unknown;
}

/** What operators have changed in one of these. */
export async function decisionsAbout(db: Queryable, ids: readonly string[]): Promise<Entry[]> {
  const rows = await db.queryUnprepared<DecisionRow>(DECISIONS, [ids, TIMELINE_LIMIT]);
  return rows.map(({ at, operator_id: operatorId, action, subject_id: subjectId, ...row }) => {
    const { before, after, sequence } = row;
    const detail = { action, operatorId, subjectId, before, after, reason: wordsOf(row.reason), sequence };
    return { at, kind: 'decision', what: `an operator did ${action}`, detail };
  });
}
