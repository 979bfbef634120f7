import type { TimelineRecords } from '@plataforma/contracts';
import type { Router } from '@plataforma/http';
import { nothingOnRecord, serveTimeline } from '@plataforma/service';
import { messagesAbout } from '@plataforma/tables';
import type { WebhooksDependencies } from '../dependencies.ts';
import { withoutQuery } from '../domain/configuration.ts';
import { type NotificationRecords, readNotificationRecords, resourceOf } from '../store/timeline.ts';

type Entry = TimelineRecords['entries'][number];

/**
 * Serves the webhook entries of a charge's or withdrawal's timeline to the gateway, which shows them to
 * operators.
 */
export function timelineRoutes(router: Router, { verifier, database }: WebhooksDependencies): void {
  serveTimeline(router, {
    verifier,
    read: async (ids) => {
      const [first = ''] = ids;
      const [records, messages, belongsTo] = await Promise.all([
        readNotificationRecords(database, ids),
        messagesAbout(database, ids),
        resourceOf(database, first),
      ]);
      return { ...nothingOnRecord, belongsTo, entries: [...entriesOf(records), ...messages] };
    },
  });
}

function entriesOf({ events, deliveries, attempts }: NotificationRecords): Entry[] {
  return [
    ...events.map(receivedEntry),
    ...deliveries.map(queuedEntry),
    ...attempts.map(attemptEntry),
    ...deliveries.flatMap((delivery) => endEntries(delivery, attempts)),
  ];
}

function receivedEntry({
  receivedAt: at,
  id: eventId,
  ...detail
}: NotificationRecords['events'][number]): Entry {
  const what = `${detail.type} was received`;
  return { at, kind: 'notification', what, detail: { eventId, ...detail } };
}

function queuedEntry({
  createdAt: at,
  id: deliveryId,
  url,
  ...detail
}: NotificationRecords['deliveries'][number]): Entry {
  const what = `a delivery of ${detail.event} was queued`;
  return { at, kind: 'delivery', what, detail: { deliveryId, ...detail, url: withoutQuery(url) } };
}

function attemptEntry({ at, ...detail }: NotificationRecords['attempts'][number]): Entry {
  const outcome = detail.statusCode === null ? 'got no response' : `got the status ${detail.statusCode}`;
  return { at, kind: 'attempt', what: `attempt ${detail.number} ${outcome}`, detail };
}

/** Returns the timeline entry for the end of a delivery, at the time of its last attempt. */
function endEntries(
  { id: deliveryId, status }: NotificationRecords['deliveries'][number],
  attempts: NotificationRecords['attempts'],
): Entry[] {
  const last = attempts.findLast((attempt) => attempt.deliveryId === deliveryId);
  if (status === 'PENDING' || !last) return [];
  const at = new Date(last.at.getTime() + last.durationMs);
  return [{ at, kind: 'delivery', what: `the delivery became ${status}`, detail: { deliveryId, status } }];
}
