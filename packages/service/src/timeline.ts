import type { TimelineRecords } from '@plataforma/contracts';
import { requireService, type Verifier, validate } from '@plataforma/http';
import { isUuid } from '@plataforma/kernel';
import { TIMELINE_LIMIT } from '@plataforma/tables';
import type { IRouter } from 'express';
import { z } from 'zod';

/** The most entries of each service; older ones are cut. */
const MAX_ENTRIES = TIMELINE_LIMIT - 1;
/** The subject and what belongs to it. */
const MAX_IDS = 100;

const query = z.strictObject({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .refine((ids) => ids.length <= MAX_IDS && ids.every(isUuid), `must be 1 to ${MAX_IDS} ids`),
});

interface ServeTimeline {
  verifier: Verifier;
  /** Reads the records of the first id, or of all ids, in any order. */
  read: (ids: string[]) => Promise<TimelineRecords>;
}

/** Tells the gateway what this service has on record of a charge or a withdrawal. */
export function serveTimeline(router: IRouter, { verifier, read }: ServeTimeline): void {
  router.get('/internal/timeline', async (req, res) => {
    requireService(req, verifier, 'gateway');
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

/** The answer for an unknown id. */
export const nothingOnRecord: TimelineRecords = {
  subject: null,
  related: [],
  belongsTo: null,
  now: null,
  entries: [],
};
