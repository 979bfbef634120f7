import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { findBreak } from '../src/chains/find-break.ts';
import { followToEnd } from '../src/operations/anchor-audit-logs.ts';
import { verifyAnchored } from '../src/operations/verify-anchored.ts';
import { findAnchor, readAnchorGauges } from '../src/store/audit-anchors.ts';
import { act, rewriteFrom, startKeptChains } from './support/kept-chains.ts';
import { operatorAs } from './support/operators.ts';

const of = { service: 'charges', chain: 'audit' } as const;
const wholeLog = { after: undefined, limit: 9 };

let anchored: Awaited<ReturnType<typeof startKeptChains>>;
let support: Awaited<ReturnType<typeof operatorAs>>;
/** The database of the service whose chain has rows without anchors. */
let charges: Database;

beforeAll(async () => {
  anchored = await startKeptChains();
  support = await operatorAs(anchored.world, 'SUPPORT');
  charges = anchored.databaseOf('charges');
});
afterAll(() => anchored.stop());

const verify = async () => {
  const { headers } = support;
  return (await anchored.world.call('/v1/admin/charges/audit-log/verify', { headers })).json.data;
};
const found = () => findAnchor(anchored.world.database, of);

async function gauge(name: string): Promise<number | undefined> {
  const gauges = await readAnchorGauges(anchored.world.database);
  return gauges.find(({ metric, labels }) => metric.name.endsWith(name) && labels.of === 'charges')?.value;
}

/** Moves the times of earlier checks back by some hours. */
const passes = (hours: number) =>
  anchored.world.database.query(
    `UPDATE audit_anchor_checks SET known_since = known_since - $1 * interval '1 hour',
      unanchored_since = unanchored_since - $1 * interval '1 hour'`,
    [hours],
  );

async function keepIn(...keepers: string[]): Promise<void> {
  for (const keeper of keepers)
    await anchored.databaseOf(keeper).query(
      `INSERT INTO chain_anchors (service, chain, epoch, sequence, hash, at)
      VALUES ('charges', 'audit', 1, $1, $2, now())`,
      Object.values((await charges.query(HEAD))[0] ?? {}),
    );
}
const HEAD = "SELECT sequence, encode(hash, 'hex') AS hash FROM audit_log ORDER BY sequence DESC LIMIT 1";

test('a chain that was never compared has an age', async () => {
  await passes(4);

  expect(await gauge('checked_seconds')).toBeGreaterThan(4 * 3_600 - 1);
});

test('an intact chain with fewer than two stored heads is unanchored', async () => {
  await anchored.anHourLater();
  expect([(await found()).unanchoredSince, await gauge('unanchored_seconds')]).toEqual([null, 0]);

  for (const reason of ['1', '2']) await act(charges, reason);
  expect(await verify()).toMatchObject({ isIntact: true, anchored: null });
  await keepIn('webhooks');
  await anchored.anHourLater();
  await passes(4);
  await anchored.anHourLater();

  expect(await verify()).toMatchObject({ isIntact: true, anchored: null });
  expect(await found()).toMatchObject({ sequence: null, unanchoredSince: expect.any(Date) });
  expect(await gauge('unanchored_seconds')).toBeGreaterThan(4 * 3_600 - 1);
});

test('an anchored chain becomes unanchored only through newer rows', async () => {
  await keepIn('ledger');
  await anchored.anHourLater();
  expect(await verify()).toMatchObject({ anchored: { sequence: 2, at: expect.any(String) } });
  expect(await gauge('unanchored_seconds')).toBe(0);

  await act(charges, '3');
  await anchored.anHourLater();
  await passes(2);
  await anchored.keepHead('charges');
  await act(charges, '4');
  await anchored.anHourLater();

  expect(await found()).toMatchObject({ sequence: 3, unanchoredSince: expect.any(Date) });
  expect(await gauge('unanchored_seconds')).toBeLessThan(3_600);
});

test('a chain is broken while it announces an epoch never begun', async () => {
  await charges.query("UPDATE chain_heads SET epoch = 7 WHERE chain = 'audit'");
  await anchored.anHourLater();

  expect(await found()).toMatchObject({ epoch: 1, brokenSequence: 4 });
  expect(await gauge('broken')).toBe(1);
  await charges.query('UPDATE chain_heads SET epoch = 1');
  await anchored.anHourLater();
  expect(await found()).toMatchObject({ brokenSequence: null });
});

test('a chain without a new anchor counts as unanchored', async () => {
  const chains = { ...anchored.dependencies.chains, beginEpoch: async () => ({ epoch: 1, isBehind: true }) };
  await anchored.keepHead('charges');
  await anchored.anHourLater();
  expect(await found()).toMatchObject({ sequence: 4, unanchoredSince: null });

  await followToEnd({ ...anchored.dependencies, chains }, await found());

  expect(await found()).toMatchObject({ sequence: 4, unanchoredSince: expect.any(Date) });
});

test('a detected break is reported although the chain cannot be read', async () => {
  const { chains } = anchored.dependencies;
  const silent = { ...chains, verify: async () => null };
  expect(await findBreak(silent, of, { epoch: 1 })).toBeNull();
  await expect(verifyAnchored({ ...anchored.dependencies, chains: silent }, of, wholeLog)).rejects.toThrow(
    'does not answer',
  );

  await rewriteFrom(charges, 1);

  expect(await findBreak(silent, of, { epoch: 1 })).toMatchObject({ brokenSequence: 2 });
  expect(await verifyAnchored({ ...anchored.dependencies, chains: silent }, of, wholeLog)).toMatchObject({
    ...{ isIntact: false, firstBrokenSequence: 2, rows: 0, next: null },
  });
});

test('a break of the chain itself needs no other services', async () => {
  const { chains } = anchored.dependencies;
  const verification = { isIntact: false, rows: 3, firstBrokenSequence: 3, last: null, next: null };
  const alone = { ...chains, verify: async () => verification, listAnchors: async () => null };

  expect(await verifyAnchored({ ...anchored.dependencies, chains: alone }, of, wholeLog)).toMatchObject({
    ...{ isIntact: false, firstBrokenSequence: 3, keptBy: [], anchored: null },
  });
});

test('a verification that times out returns its next position', async () => {
  const { chains } = anchored.dependencies;
  const first = { isIntact: true, rows: 1, firstBrokenSequence: null, last: '1:a', next: '1:a' };
  const answers = [first];
  const slow = {
    ...chains,
    listAnchors: async () => ({ anchors: [], next: null }),
    verify: async () => answers.shift() ?? null,
  };

  expect(await verifyAnchored({ ...anchored.dependencies, chains: slow }, of, wholeLog)).toMatchObject({
    ...{ isIntact: true, rows: 1, next: '1:a' },
  });
});
