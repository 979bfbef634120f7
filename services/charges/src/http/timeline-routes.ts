import type { Router } from '@plataforma/http';
import { nothingOnRecord, serveTimeline } from '@plataforma/service';
import { messagesAbout } from '@plataforma/tables';
import type { ChargesDependencies } from '../dependencies.ts';
import { currentStatusOf, entriesOf, readChargeHistory, relatedIds, subjectOf } from './timeline-view.ts';

export function timelineRoutes(router: Router, { verifier, database }: ChargesDependencies): void {
  serveTimeline(router, {
    verifier,
    proposals: database,
    read: async ([id = '']) => {
      const records = await readChargeHistory(database, id);
      if (!records) return nothingOnRecord;
      const related = relatedIds(records);
      const messages = await messagesAbout(database, [records.charge.id, ...related]);
      return {
        ...nothingOnRecord,
        subject: subjectOf(records),
        related,
        now: currentStatusOf(records),
        entries: [...entriesOf(records), ...messages],
      };
    },
  });
}
