import { type Subscriber, subscribers, subscriptions, typesFor } from '@plataforma/events';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, lost, notOnce, violation } from './finding.ts';
import { type Announced, readAnnounced, readHeads } from './outboxes.ts';

/**
 * Invariant 8. Checks that every event was published from its outbox, and that each subscriber applied it
 * once. The run's invalid events must not be applied, and only they may be dead letters.
 */
export async function checkEvents({ databases, poison }: Evidence): Promise<Finding[]> {
  const announced = [...(await readAnnounced(databases)), ...(await readHeads(databases))];
  const wholesome = announced.filter(({ id }) => !poison.has(id));
  const findings = wholesome
    .filter(({ is_published }) => !is_published)
    .map(({ id, type }) => lost(8, `${type} ${id} has never left its outbox`));
  const announcedIds = new Set(announced.map(({ id }) => id));
  for (const subscriber of subscribers) {
    const inbox = await readInbox(databases, subscriber);
    const expected = wholesome.filter((event) => event.is_published && isSubscribed(subscriber, event));
    findings.push(
      ...expected.flatMap(({ id, type }) =>
        notOnce(8, inbox.get(id) ?? 0, `${type} ${id} applied by ${subscriber}`),
      ),
      ...[...inbox.keys()]
        .filter((id) => !announcedIds.has(id))
        .map((id) => violation(8, `${subscriber} has applied ${id}, which no service announced`)),
      ...(await readSetAside(databases, subscriber))
        .filter(({ id }) => id !== null && !poison.has(id))
        .map(({ id, type }) => violation(8, `${subscriber} has set ${type} ${id} aside, which is no poison`)),
    );
  }
  return [...findings, ...(await findUnstored(databases, wholesome))];
}

function isSubscribed(subscriber: Subscriber, { type }: Announced): boolean {
  return typesFor(subscriber).some((subscribedType) => subscribedType === type);
}

async function readInbox(databases: Databases, subscriber: Subscriber): Promise<Map<string, number>> {
  const sql = 'SELECT event_id AS id, count(*) AS count FROM inbox GROUP BY 1';
  const rows = await rowsOf<{ id: string; count: number }>(databases[subscriber], sql);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const SET_ASIDE = 'SELECT event_id AS id, type FROM dead_letters WHERE replayed_at IS NULL';

function readSetAside(databases: Databases, subscriber: Subscriber) {
  return rowsOf<{ id: string | null; type: string | null }>(databases[subscriber], SET_ASIDE);
}

/** Finds published events that the webhooks service should deliver but has not stored. */
async function findUnstored({ webhooks }: Databases, announced: readonly Announced[]): Promise<Finding[]> {
  const rows = await rowsOf<{ id: string }>(webhooks, 'SELECT id FROM events');
  const stored = new Set(rows.map(({ id }) => id));
  return announced
    .filter(({ id, type, is_published: isPublished }) => isPublished && isNotified(type) && !stored.has(id))
    .map(({ id, type }) => lost(8, `${type} ${id} was applied by webhooks, and is not among its events`));
}

const isNotified = (type: string) => subscriptions.webhooks.some((notified) => notified === type);

export async function findUnapplied(
  databases: Databases,
  announced: readonly Announced[],
): Promise<{ subscriber: Subscriber; id: string; type: string }[]> {
  const found = [];
  for (const subscriber of subscribers) {
    const inbox = await readInbox(databases, subscriber);
    const missing = announced.filter((event) => isSubscribed(subscriber, event) && !inbox.has(event.id));
    found.push(...missing.map(({ id, type }) => ({ subscriber, id, type })));
  }
  return found;
}
