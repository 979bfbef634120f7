import { generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pageUpdateTypes, subscriptions } from '@plataforma/events';
import { aboutOf, changedBy, followedTypes, type PageUpdateEvent } from '../src/live/changes.ts';

const pages = join(import.meta.dirname, '../pages/dashboard');
const sources = globSync('**/*.{ts,tsx}', { cwd: pages }).map((file) =>
  readFileSync(join(pages, file), 'utf8'),
);
/** The first part of the key of each query in the pages' sources. */
const keys = new Set(
  sources.flatMap((text) => [...text.matchAll(/\b(?:queryKey|key): \['([\w-]+)'/g)].map(([, key]) => key)),
);
const lists = [
  'charge',
  'paymentLink',
  'balance',
  'receivable',
  'event',
  'refund',
  'dispute',
  'withdrawal',
  'api-key',
];

test.each([...subscriptions.webhooks])('the event %s refreshes only existing page queries', (type) => {
  const changes = changedBy({ type });

  expect(changes).toContain('event');
  expect(changes.filter((key) => !keys.has(key))).toEqual([]);
});

test('dashboard lists follow events, and page changes name existing queries', () => {
  const followed = new Set(subscriptions.webhooks.flatMap((type) => changedBy({ type })));
  const named = sources.flatMap((text) =>
    [...text.matchAll(/(?:changes: |CHANGES = |fallingDue = )\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/'([\w-]+)'/g)].map(([, key]) => key),
    ),
  );

  expect(lists.filter((key) => !keys.has(key) || !followed.has(key))).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((key) => !keys.has(key))).toEqual([]);
});

test.each([
  ['refund.created', 'refund'],
  ['dispute.updated', 'dispute'],
  ['withdrawal.processing', 'withdrawal'],
  ['receivable.settled', 'receivable'],
  ['checkout.completed', 'paymentLink'],
  ['checkout.expired', 'paymentLink'],
  ['api_key.expiring', 'api-key'],
] as const)('the event %s refreshes the query %s', (type, key) => {
  expect(changedBy({ type })).toContain(key);
});

test('live updates are followed with their producer’s key, required types always', () => {
  const key = { id: 'test', key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey };
  const keysOf = (...names: string[]) => new Map(names.map((name) => [name, [key]]));
  const of = (...names: string[]) => followedTypes({ mode: 'require', keys: keysOf(...names) });

  expect(of('charges', 'withdrawals')).not.toContain('live.ledger');
  expect(of('charges', 'withdrawals', 'ledger')).toContain('live.ledger');
  expect(of()).toEqual(['live.charges', 'live.withdrawals']);
  expect(followedTypes({ mode: 'accept' })).toEqual(pageUpdateTypes);
});

test.each([
  ['live.gateway', 'session.ended', 'session.ended'],
  ['live.charges', 'session.ended', null],
  ['live.charges', 'charge.of_a_newer_release', null],
] as const)('a live update %s about %s counts as %s', (type, about, expected) => {
  const data = { about, environment: null, chargeId: null, checkoutId: null };
  const outer = { id: '', version: 1, occurredAt: '', merchantId: '', aggregateId: '', sequence: 1 };
  const update: PageUpdateEvent = { ...outer, type, environment: null, traceparent: null, data };

  expect(aboutOf(update)).toBe(expected);
});
