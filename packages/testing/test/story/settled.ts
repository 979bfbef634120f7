import { expect } from '@jest/globals';
import { type Producer, producers, subscribers, typesFor } from '@plataforma/events';
import type { Platform } from '@plataforma/local';
import { eventually } from '../../src/index.ts';
import { openAt } from '../../src/world/index.ts';
import { clientOf } from './client.ts';

const ANNOUNCED = 'SELECT event_id AS id, type, published_at IS NOT NULL AS is_published FROM outbox';
const APPLIED = 'SELECT event_id AS id FROM inbox';
const OPEN_REFUNDS = "SELECT id FROM refunds WHERE status NOT IN ('DONE', 'REFUSED')";
const OPEN_RETURNS = "SELECT id FROM unexpected_payments WHERE status = 'RETURNING'";
const OPEN_PAYOUTS =
  "SELECT id FROM withdrawals WHERE status IN ('DEBITING', 'APPROVED', 'PROCESSING') AND method = 'PIX'";
const DUE_BEFORE = 'SELECT id FROM deliveries WHERE due_at < $1';

interface Announced {
  id: string;
  type: string;
  is_published: boolean;
}

/**
 * Waits until no order is in progress, every service has applied all events, and the request log is complete.
 * Also waits until no delivery of a webhook is due within `withinMs`.
 */
export async function waitUntilIdle({ facts, databaseUrls }: Platform, withinMs: number): Promise<void> {
  const until = new Date(Date.now() + withinMs);
  // Each database has one connection for all queries, because a new connection costs the server more than
  // these queries.
  const databases = new Map(producers.map((name) => [name, openAt(databaseUrls[name], 1)]));
  const rows = async <Row extends { id: string }>(service: Producer, sql: string, values: unknown[] = []) =>
    (await databases.get(service)?.query<Row>(sql, values)) ?? [];

  async function findUnapplied(): Promise<string[]> {
    const announced = (await Promise.all(producers.map((name) => rows<Announced>(name, ANNOUNCED)))).flat();
    const found = announced.filter((event) => !event.is_published).map(({ type }) => `unpublished ${type}`);
    for (const name of subscribers) {
      const applied = new Set((await rows(name, APPLIED)).map(({ id }) => id));
      const expected = announced.filter(({ type }) => typesFor(name).some((one) => one === type));
      found.push(...expected.flatMap(({ id, type }) => (applied.has(id) ? [] : [`${type} for ${name}`])));
    }
    return found;
  }

  const merchant = clientOf(facts.baseUrl, { key: facts.demo.sandboxKey });
  const { headers } = await merchant.get('/v1/balance');
  try {
    await eventually(
      async () => {
        expect(await rows('charges', `${OPEN_REFUNDS} UNION ALL ${OPEN_RETURNS}`)).toEqual([]);
        expect(await rows('withdrawals', OPEN_PAYOUTS)).toEqual([]);
        expect(await findUnapplied()).toEqual([]);
        expect(await rows('webhooks', DUE_BEFORE, [until])).toEqual([]);
        const { list } = await merchant.get('/v1/requests?limit=20');
        expect(list.map(({ requestId }) => requestId)).toContain(headers.get('x-request-id'));
      },
      { timeoutMs: 120_000, intervalMs: 100 },
    );
  } finally {
    await Promise.all([...databases.values()].map((database) => database.close()));
  }
}
