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

let kept: Awaited<ReturnType<typeof startKeptChains>>;
let support: Awaited<ReturnType<typeof operatorAs>>;
/** The database of the chain that loses its anchors. */
let charges: Database;

beforeAll(async () => {
  kept = await startKeptChains();
  support = await operatorAs(kept.world, 'SUPPORT');
  charges = kept.databaseOf('charges');
});
afterAll(() => kept.stop());

const verify = async () => {
  const { headers } = support;
  return (await kept.world.call('/v1/admin/charges/audit-log/verify', { headers })).json.data;
};
const found = () => findAnchor(kept.world.database, of);

async function gauge(name: string): Promise<number | undefined> {
  const gauges = await readAnchorGauges(kept.world.database);
  return gauges.find(({ metric, labels }) => metric.name.endsWith(name) && labels.of === 'charges')?.value;
}

/** Makes earlier checks look `hours` older. */
const passes = (hours: number) =>
  kept.world.database.query(
    `UPDATE audit_anchor_checks SET known_since = known_since - $1 * interval '1 hour',
      unanchored_since = unanchored_since - $1 * interval '1 hour'`,
    [hours],
  );

async function keepIn(...keepers: string[]): Promise<void> {
  for (const keeper of keepers)
    await kept.databaseOf(keeper).query(
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

test('an intact chain that fewer than two keep is anchored nowhere, which verify and the clock say', async () => {
  await kept.anHourLater();
  expect([(await found()).unanchoredSince, await gauge('unanchored_seconds')]).toEqual([null, 0]);

  for (const reason of ['1', '2']) await act(charges, reason);
  expect(await verify()).toMatchObject({ isIntact: true, anchored: null });
  await keepIn('webhooks');
  await kept.anHourLater();
  await passes(4);
  await kept.anHourLater();

  expect(await verify()).toMatchObject({ isIntact: true, anchored: null });
  expect(await found()).toMatchObject({ sequence: null, unanchoredSince: expect.any(Date) });
  expect(await gauge('unanchored_seconds')).toBeGreaterThan(4 * 3_600 - 1);
});

test('what is anchored to its end is so for no time, and begins anew with the rows after it', async () => {
  await keepIn('ledger');
  await kept.anHourLater();
  expect(await verify()).toMatchObject({ anchored: { sequence: 2, at: expect.any(String) } });
  expect(await gauge('unanchored_seconds')).toBe(0);

  await act(charges, '3');
  await kept.anHourLater();
  await passes(2);
  await kept.keepHead('charges');
  await act(charges, '4');
  await kept.anHourLater();

  expect(await found()).toMatchObject({ sequence: 3, unanchoredSince: expect.any(Date) });
  expect(await gauge('unanchored_seconds')).toBeLessThan(3_600);
});

test('a chain that announces in an epoch that nobody has begun is broken where it is anchored no more', async () => {
  await charges.query("UPDATE chain_heads SET epoch = 7 WHERE chain = 'audit'");
  await kept.anHourLater();

  expect(await found()).toMatchObject({ epoch: 1, brokenSequence: 4 });
  expect(await gauge('broken')).toBe(1);
  await charges.query('UPDATE chain_heads SET epoch = 1');
  await kept.anHourLater();
  expect(await found()).toMatchObject({ brokenSequence: null });
});

test('a chain of which no further place is made, though there is something to make it of, is anchored no further', async () => {
  const chains = { ...kept.dependencies.chains, beginEpoch: async () => ({ epoch: 1, isBehind: true }) };
  await kept.keepHead('charges');
  await kept.anHourLater();
  expect(await found()).toMatchObject({ sequence: 4, unanchoredSince: null });

  await followToEnd({ ...kept.dependencies, chains }, await found());

  expect(await found()).toMatchObject({ sequence: 4, unanchoredSince: expect.any(Date) });
});

test('a break that is known is answered, though the chain itself is not followed in time', async () => {
  const { chains } = kept.dependencies;
  const silent = { ...chains, verify: async () => null };
  expect(await findBreak(silent, of, { epoch: 1 })).toBeNull();
  await expect(verifyAnchored({ ...kept.dependencies, chains: silent }, of, wholeLog)).rejects.toThrow(
    'does not answer',
  );

  await rewriteFrom(charges, 1);

  expect(await findBreak(silent, of, { epoch: 1 })).toMatchObject({ brokenSequence: 2 });
  expect(await verifyAnchored({ ...kept.dependencies, chains: silent }, of, wholeLog)).toMatchObject({
    ...{ isIntact: false, firstBrokenSequence: 2, rows: 0, next: null },
  });
});

test('a break that the chain itself has is answered, though too few of the others are there', async () => {
  const { chains } = kept.dependencies;
  const verification = { isIntact: false, rows: 3, firstBrokenSequence: 3, last: null, next: null };
  const alone = { ...chains, verify: async () => verification, listAnchors: async () => null };

  expect(await verifyAnchored({ ...kept.dependencies, chains: alone }, of, wholeLog)).toMatchObject({
    ...{ isIntact: false, firstBrokenSequence: 3, keptBy: [], anchored: null },
  });
});

test('what is followed until an answer is late says where to go on', async () => {
  const { chains } = kept.dependencies;
  const first = { isIntact: true, rows: 1, firstBrokenSequence: null, last: '1:a', next: '1:a' };
  const answers = [first];
  const slow = {
    ...chains,
    listAnchors: async () => ({ anchors: [], next: null }),
    verify: async () => answers.shift() ?? null,
  };

  expect(await verifyAnchored({ ...kept.dependencies, chains: slow }, of, wholeLog)).toMatchObject({
    ...{ isIntact: true, rows: 1, next: '1:a' },
  });
});
