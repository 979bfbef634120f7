import type { Router } from '@plataforma/http';
import { nothingOnRecord, serveTimeline } from '@plataforma/service';
import { messagesAbout } from '@plataforma/tables';
import type { LedgerDependencies } from '../dependencies.ts';
import { entriesAbout, findLedgerStatus, ownerOf } from '../store/timeline.ts';

export function timelineRoutes(router: Router, { verifier, database }: LedgerDependencies): void {
  serveTimeline(router, {
    verifier,
    proposals: database,
    read: async (ids) => {
      const [first = ''] = ids;
      const [posted, messages, now, belongsTo] = await Promise.all([
        entriesAbout(database, ids),
        messagesAbout(database, ids),
        findLedgerStatus(database, ids),
        ownerOf(database, first),
      ]);
      const entries = posted.map(({ postedAt: at, id: entryId, ...detail }) => ({
        at,
        kind: 'posting' as const,
        what: `${detail.kind} was posted`,
        detail: { entryId, ...detail },
      }));
      return { ...nothingOnRecord, belongsTo, now, entries: [...entries, ...messages] };
    },
  });
}
