import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOfMonth } from '@plataforma/testing';
import { listAllDeliveries, listDeliveries } from '../../src/store/delivery-lists.ts';
import { listEvents } from '../../src/store/event-lists.ts';
import { A_PAGE, BIG_SHARE, measured, OF_MONTH, openYear, ROWS, type Year } from '../support/year.ts';

let database: Year['database'];
let big: Year['big'];
let small: Year['small'];

beforeAll(async () => {
  ({ database, big, small } = await openYear());
});
afterAll(() => database?.close());

const ofBig = (ROWS * BIG_SHARE) / 10;
const DAY_MS = 86_400_000;
const since = new Date(Date.now() - 400 * DAY_MS);
/** Five days in the month half a year ago. */
const fiveDays = [10, 15].map((day) => new Date(startOfMonth(-6).getTime() + day * DAY_MS));
const [startDate, endDate] = fiveDays;
const slice = { page: 1, limit: 20 };

describe('a merchant’s list reads', () => {
  test.each([
    ['the newest', slice],
    ['a far page', { page: 150, limit: 20 }],
    ['those of a rare event', { ...slice, event: 'dispute.opened' as const }],
    ['those of five days', { ...slice, startDate, endDate }],
  ])('only its page of rows and the merchant’s index entries: %s', async (_what, query) => {
    const { db, cost } = measured(database);

    const { items } = await listDeliveries(db, big, query);

    expect(items.length).toBeGreaterThan(0);
    expect(cost.rows).toBeLessThanOrEqual(A_PAGE);
    expect(cost.entries).toBeLessThanOrEqual(2 * ofBig + A_PAGE);
  });

  test('failed deliveries only when filtered by failure', async () => {
    const { db, cost } = measured(database);

    const { total } = await listDeliveries(db, big, { ...slice, status: 'FAILED' });

    expect(total).toBeGreaterThan(0);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(total + 2 * A_PAGE);
  });

  test('very little for a merchant with few deliveries', async () => {
    const { db, cost } = measured(database);

    const { total } = await listDeliveries(db, small, slice);

    expect(total).toBe(ROWS / 2000);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });

  test('very little for a resource with few deliveries', async () => {
    const { items } = await listDeliveries(database, big, slice);
    const resourceId = items[0]?.resourceId;
    const { db, cost } = measured(database);

    const { total } = await listDeliveries(db, big, { ...slice, resourceId });

    expect(total).toBe(1);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });
});

describe('the feed reads', () => {
  test.each([
    ['the newest', slice],
    ['a far page', { page: 150, limit: 20 }],
    ['a rare event', { ...slice, event: 'dispute.opened' as const }],
  ])('only its page of rows and the merchant’s index entries: %s', async (_what, query) => {
    const { db, cost } = measured(database);

    const { items } = await listEvents(db, big, { ...query, since, types: null });

    expect(items.length).toBeGreaterThan(0);
    expect(cost.rows).toBeLessThanOrEqual(A_PAGE);
    expect(cost.entries).toBeLessThanOrEqual(2 * ofBig + A_PAGE);
  });

  test('very little for a resource with few events', async () => {
    const { items } = await listEvents(database, big, { ...slice, since, types: null });
    const resourceId = items[0]?.resourceId;
    const { db, cost } = measured(database);

    const { total } = await listEvents(db, big, { ...slice, resourceId, since, types: null });

    expect(total).toBe(1);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });
});

describe('the operators’ list reads', () => {
  test('no more deliveries of all merchants than it counts', async () => {
    const { db, cost } = measured(database);

    const { total } = await listAllDeliveries(db, slice);

    expect(total).toBe(10_000);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(10_000 + A_PAGE);
  });

  test.each([
    ['days', { startDate, endDate }, (5 * OF_MONTH) / 28],
    ['failed ones', { status: 'FAILED' as const }, 240],
  ])('little more than the filtered deliveries: %s', async (_what, filter, about) => {
    const { db, cost } = measured(database);

    const { items, total } = await listAllDeliveries(db, { ...slice, ...filter });

    expect(items).toHaveLength(20);
    expect(total).toBeLessThan(2 * about);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(2 * total + A_PAGE);
  });

  test('a page in stored order, also of an environment or event', async () => {
    for (const filter of [{}, { environment: 'sandbox' as const }, { event: 'charge.paid' as const }]) {
      const { db, cost } = measured(database);
      const { items } = await listAllDeliveries(db, { ...slice, ...filter, page: 3 });

      const newest = items.map(({ createdAt }) => createdAt.getTime());
      expect(newest).toEqual(newest.toSorted((one, other) => other - one));
      expect(cost.entries + cost.rows).toBeLessThanOrEqual(10_000 * 1.1 + 2 * A_PAGE);
    }
  });

  test('one merchant’s deliveries when filtered by webhook', async () => {
    const { items } = await listDeliveries(database, small, slice);
    const webhookId = items[0]?.configurationId;
    const { db, cost } = measured(database);

    const { total } = await listAllDeliveries(db, { ...slice, webhookId });

    expect(total).toBe(ROWS / 2000);
    expect(cost.entries + cost.rows).toBeLessThanOrEqual(A_PAGE);
  });
});
