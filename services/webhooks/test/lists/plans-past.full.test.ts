import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Queryable, Row, Slice } from '@plataforma/data';
import { findDelivery, listAllDeliveries, listDeliveries } from '../../src/store/delivery-lists.ts';
import { readFeed } from '../../src/store/event-feed.ts';
import { findEvent, listEvents } from '../../src/store/event-lists.ts';
import { resourceOf } from '../../src/store/timeline.ts';
import { A_PAGE, measured, openYear, type Year } from '../support/year.ts';

let database: Year['database'];
let big: Year['big'];

beforeAll(async () => {
  ({ database, big } = await openYear());
});
afterAll(() => database?.close());

const since = new Date(0);
const slice = { page: 1, limit: 20 };
/** A page in the middle of the list. Half a year of rows follows the page. */
const far = { page: 75, limit: 20 };

/** Measures only the first statement, which reads the page. The second statement counts the rows. */
function first(db: Queryable): Queryable {
  let measured = db;
  function queryUnprepared<R extends Row>(text: string, values: readonly unknown[]): Promise<R[]> {
    const answering = measured;
    measured = database;
    return answering.queryUnprepared<R>(text, values);
  }
  return { queryUnprepared, query: (text, values = []) => queryUnprepared(text, values) };
}

test.each([
  ['a merchant’s list', (db: Queryable, query: Slice) => listDeliveries(db, big, query)],
  [
    'the list of events',
    (db: Queryable, query: Slice) => listEvents(db, big, { ...query, since, types: null }),
  ],
  ['the operators’ list', (db: Queryable, query: Slice) => listAllDeliveries(db, query)],
])('%s behind an old cursor reads only its page before counting', async (_what, list) => {
  const { next } = await list(database, far);
  const { db, cost } = measured(database);

  const { items } = await list(first(db), { ...slice, after: String(next) });

  expect(items).toHaveLength(slice.limit);
  expect([cost.rows, cost.entries].map((read) => read <= A_PAGE)).toEqual([true, true]);
});

test('the feed behind an old event reads its page and counted events', async () => {
  const { items } = await listEvents(database, big, { ...far, since, types: null });
  const { db, cost } = measured(database);

  const read = await readFeed(db, big, { ...slice, after: String(items[0]?.id), since, types: null });

  expect(read.items).toHaveLength(slice.limit);
  expect(cost.entries + cost.rows).toBeLessThanOrEqual(read.total + A_PAGE);
});

test('an event or delivery is found by id in few rows', async () => {
  const { items } = await listDeliveries(database, big, far);
  const { items: events } = await listEvents(database, big, { ...far, since, types: null });
  const [delivery, event] = [String(items[0]?.id), String(events[0]?.id)];
  const { db, cost } = measured(database);

  const found = [
    (await findDelivery(db, big, delivery))?.id,
    (await findEvent(db, big, { id: event, since, types: null }))?.id,
    await resourceOf(db, delivery),
    await resourceOf(db, event),
  ];

  expect(found).toEqual([delivery, event, items[0]?.resourceId, events[0]?.resourceId]);
  expect(cost.entries + cost.rows).toBeLessThanOrEqual(10);
});
