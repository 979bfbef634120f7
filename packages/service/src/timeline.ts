import type { TimelineRecords } from '@plataforma/contracts';
import type { Queryable } from '@plataforma/data';
import { requireService, type Verifier, validate } from '@plataforma/http';
import { isUuid } from '@plataforma/kernel';
import { proposalsAbout, TIMELINE_LIMIT } from '@plataforma/tables';
import type { IRouter } from 'express';
import { z } from 'zod';

/** The maximum number of entries in the answer of one service. Older entries are left out. */
const MAX_ENTRIES = TIMELINE_LIMIT - 1;
/** The maximum number of ids in a query: the id of the subject, and the ids of its related objects. */
const MAX_IDS = 100;

const query = z.strictObject({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .refine((ids) => ids.length <= MAX_IDS && ids.every(isUuid), `must be 1 to ${MAX_IDS} ids`),
});

interface ServeTimeline {
  verifier: Verifier;
  /**
   * Returns the records about the objects with these ids. The records may be in any order. The first id is
   * the subject's. A service may ignore the other ids, which are those of related objects.
   */
  read: (ids: string[]) => Promise<TimelineRecords>;
  /** The database with the operators' proposals, if the service has proposals. */
  proposals?: Queryable;
}

/** Serves this service's records of a charge, a withdrawal or a merchant to the gateway. */
export function serveTimeline(router: IRouter, { verifier, read, proposals }: ServeTimeline): void {
  router.get('/internal/timeline', async (req, res) => {
    requireService(req, verifier, 'gateway');
    const { ids } = validate(query, req.query);
    const { related, entries: own, isCut = false, ...rest } = await read(ids);
    const proposed = proposals ? await proposalsAbout(proposals, [...new Set([...ids, ...related])]) : [];
    const entries = [...own, ...proposed];
    // The sort is stable, so entries with the same time keep the order that the service gave them.
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

/** The answer for an id that this service does not know. */
export const nothingOnRecord: TimelineRecords = {
  subject: null,
  related: [],
  belongsTo: null,
  now: null,
  entries: [],
};
