import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pools } from '@plataforma/http';
import { sourcesOf } from '../src/state-tables.ts';

const root = join(import.meta.dirname, '../../..');

const sources = ['services', 'packages'].flatMap((above) =>
  readdirSync(join(root, above))
    .filter((name) => !['testing', 'lab', 'cli', 'sdk', 'mcp', 'client', 'local'].includes(name))
    .flatMap((name) =>
      sourcesOf(join(root, above, name)).map(({ path, text }) => ({ path: `${name}/${path}`, text })),
    ),
);

const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

test('every listed pool is used and every bulkhead is listed', () => {
  const made = sources.flatMap(({ text }) =>
    [...text.matchAll(/createBulkhead\(([^)]*)\)/g)].map(([, name = '']) => name),
  );

  const named = new Set(made.map((name) => name.replaceAll("'", '')).filter((name) => name in pools));
  expect([...named].sort()).toEqual(Object.keys(pools).sort());
  expect(made.filter((name) => !name.startsWith("'"))).toEqual(['pool: PoolName']);
});

/**
 * The files that limit concurrent work without a pool of the table `pools`. Each text says what the file
 * limits, or why it needs no such pool.
 */
const others: Record<string, { pattern: RegExp; files: Record<string, string> }> = {
  'slots without a tenant': {
    pattern: /createSlots\(/,
    files: {
      'gateway/http/decline-limit.ts': 'waiting card payments, by network',
      'gateway/passwords.ts': 'waiting log-ins of one account, by account',
      'http/bulkhead.ts': 'the bulkheads themselves',
      'http/connection-limit.ts': 'connections before authentication, by network',
      'http/late-bodies.ts': 'bodies before authentication, by network',
      'sandbox-psp/http/infraction-routes.ts': 'the sandbox bank has no production; by client of the bank',
      'sandbox-psp/http/under-provider-faults.ts': 'the sandbox bank has no production; by account',
      'web/live/hub.ts':
        'sessions, buyers and networks; streams of sessions have a slot of `streams` besides',
    },
  },
  'limited connections': {
    pattern: /\bconnections(:|,$)|maxSockets|new pg\.Pool\(/m,
    files: {
      'data/database.ts': 'connections to the database',
      'data/reads.ts': 'as many as the line runs statements at a time',
      'gateway/http/service-link.ts': 'one for each slot of its pool',
      'gateway/http/streamed-forward.ts': 'as many as its link allows',
      'gateway/http/buffered-forward.ts': 'as many as its link allows',
      'http/json-client.ts': 'one peer or one provider account',
      'web/gateway.ts': 'as many as the pools of pages and of buyers have slots; log-ins have their own',
    },
  },
  'slots by tenant with their own rules and tests': {
    pattern: /createFairLine\(|createSlotGroups\(/,
    files: {
      'data/database.ts': 'transactions of requests wait instead of being refused; writers.test.ts',
      'data/fair-line.ts': 'the line of statements itself',
      'data/reads.ts': 'statements of lists wait instead of being refused; reads.test.ts',
      'gateway/passwords.ts': 'log-ins before authentication, of each network in turn',
      'webhooks/sending/endpoint-concurrency.ts':
        'deliveries wait in the database; endpoint-concurrency.test.ts',
      'webhooks/sending/slot-groups.ts': 'the slots of deliveries themselves',
    },
  },
  'queues that run one at a time': {
    pattern: /function oneAtATime/,
    files: {
      'http/pipelining.ts': 'requests of one connection',
      'kernel/one-at-a-time.ts':
        'refreshes of one session; reads of one account that have a slot of `eventWaits`',
    },
  },
};

test.each(Object.entries(others))('%s exist in the listed files only', (_name, { pattern, files }) => {
  expect(filesWith(pattern).sort()).toEqual(Object.keys(files).sort());
});
