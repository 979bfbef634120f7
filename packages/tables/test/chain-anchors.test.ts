import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import type { Announcement } from '@plataforma/events';
import { trustedKeys } from '@plataforma/http';
import { newId, PLATFORM_ID } from '@plataforma/kernel';
import { createSignaturePolicy, listen, startRelay } from '@plataforma/messaging';
import { signatureRules } from '@plataforma/service';
import { claimVhost, eventually, signedEventsOnly, testSigner } from '@plataforma/testing';
import { type Emitter, openTestDatabase, silent, startEmitter } from '@plataforma/testing/world';
import { announceHeads } from '../src/anchors/announce-heads.ts';
import { auditLogChain } from '../src/anchors/chain.ts';
import { readAnchorContradictions } from '../src/anchors/keep-anchors.ts';
import { comparedEvents, outboxSeals, savingAnchors, sharedTables, writeAudit } from '../src/index.ts';

const rules = signatureRules({
  EVENT_KEYS: trustedKeys.parse(signedEventsOnly.EVENT_KEYS),
  EVENT_SIGNATURES: 'require',
});
const closing: (() => Promise<unknown>)[] = [];

/** The database of the service charges, which announces the heads of its chains. */
let source: Database;
/** The database of the service ledger, which saves the anchors and has two replicas. */
let keeper: Database;
let emitter: Emitter;
const applied: string[] = [];

beforeAll(async () => {
  const vhost = await claimVhost();
  const open = async () => {
    const { database } = await openTestDatabase([sharedTables, outboxSeals, comparedEvents]);
    closing.push(() => database.close());
    return database;
  };
  [source, keeper] = [await open(), await open()];
  const apply = savingAnchors(
    silent,
    async (_tx, events) => void applied.push(...events.map(({ type }) => type)),
  );
  for (let replica = 0; replica < 2; replica += 1) {
    const signaturePolicy = createSignaturePolicy('ledger', rules);
    const dependencies = { database: keeper, brokerUrl: vhost, log: silent, apply, signaturePolicy };
    const listener = listen({ ...dependencies, subscriber: 'ledger' });
    closing.push(listener.stop);
    await eventually(() => expect(listener.isConnected()).toBe(true));
  }
  const relay = startRelay({
    database: source,
    brokerUrl: vhost,
    name: 'charges',
    signer: testSigner,
    log: silent,
  });
  closing.push(relay.stop);
  emitter = await startEmitter(vhost);
  closing.push(emitter.stop);
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});
beforeEach(async () => {
  await emitter.publishAgain();
});

const act = () =>
  source.transaction((tx) =>
    writeAudit(tx, {
      ...{ operatorId: newId(), action: 'charge.refund', subjectId: newId(), reason: null },
      ...{ before: {}, after: {} },
    }),
  );

const anHourPasses = () => source.query("UPDATE chain_heads SET next_at = now() - interval '1 second'");

/** Runs the job that publishes the newest hash of each chain, in two replicas at the same time. */
async function announce({ isListening = true } = {}): Promise<void> {
  const chains = [auditLogChain];
  const dependencies = {
    database: source,
    producer: 'charges',
    chains,
    isListening: () => isListening,
  } as const;
  await Promise.all([announceHeads(dependencies), announceHeads(dependencies)]);
}

const announced = async () => {
  const rows = await source.query<{ data: { sequence: number } }>(
    "SELECT body::jsonb -> 'data' AS data FROM outbox WHERE type = 'chain.anchored.charges' ORDER BY position",
  );
  return rows.map(({ data }) => data);
};
const storedAnchors = (service: string) =>
  keeper.query(
    'SELECT chain, epoch, sequence, hash FROM chain_anchors WHERE service = $1 ORDER BY epoch, sequence, kept_at',
    [service],
  );
const headOf = async () => {
  const [head] = await source.query(
    "SELECT sequence, encode(hash, 'hex') AS hash FROM audit_log ORDER BY sequence DESC LIMIT 1",
  );
  return { chain: 'audit', epoch: 1, ...head };
};

function anchorOfGateway(sequence: number, hash: string, epoch = 1): Announcement {
  return {
    ...{ type: 'chain.anchored.gateway', merchantId: PLATFORM_ID, environment: null },
    ...{ aggregateId: PLATFORM_ID, sequence },
    data: { chain: 'audit', epoch, sequence, hash: hash.repeat(64), at: new Date().toISOString() },
  };
}

test('one replica announces a chain’s changed head once an hour', async () => {
  await act();
  await announce();
  // The first announcement is due an hour after the migration, because replicas of the previous release may
  // read the queues until then.
  expect(await announced()).toEqual([]);

  for (const isNew of [true, false, false]) {
    if (isNew) await act();
    await anHourPasses();
    await announce();
    await announce();
    expect(await announced()).toMatchObject([await headOf()]);
  }
  await act();
  await anHourPasses();
  // The broker has the permissions of an earlier release, so it would refuse the event. The head is therefore
  // not announced.
  await announce({ isListening: false });
  expect(await announced()).toHaveLength(1);
  await announce();

  expect(await announced()).toMatchObject([{ sequence: 2 }, await headOf()]);
  await eventually(async () =>
    expect(await storedAnchors('charges')).toMatchObject([{ sequence: 2 }, await headOf()]),
  );
  expect(applied).toEqual([]);
});

test('repeated, late or unordered heads are stored once each', async () => {
  await emitter.announce(anchorOfGateway(3, 'c'), anchorOfGateway(1, 'a'), anchorOfGateway(2, 'b'));
  await emitter.publishAgain();
  await emitter.announce(anchorOfGateway(2, 'b'));

  await eventually(async () =>
    expect(await storedAnchors('gateway')).toMatchObject([{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }]),
  );
  expect(await readAnchorContradictions(keeper)).toContainEqual(
    expect.objectContaining({ labels: { of: 'gateway', chain: 'audit' }, value: 0 }),
  );
});

test('a contradicting hash is stored and counted until the next epoch', async () => {
  await emitter.announce(anchorOfGateway(2, 'f'));

  await eventually(async () => expect(await storedAnchors('gateway')).toHaveLength(4));
  expect(await storedAnchors('gateway')).toMatchObject([
    {},
    { sequence: 2, hash: 'b'.repeat(64) },
    { sequence: 2, hash: 'f'.repeat(64) },
    {},
  ]);
  expect(await readAnchorContradictions(keeper)).toContainEqual(
    expect.objectContaining({ labels: { of: 'gateway', chain: 'audit' }, value: 1 }),
  );

  await emitter.announce(anchorOfGateway(2, 'f', 2));

  await eventually(async () =>
    expect(await readAnchorContradictions(keeper)).toContainEqual(
      expect.objectContaining({ labels: { of: 'gateway', chain: 'audit' }, value: 0 }),
    ),
  );
});

test('stored heads cannot be changed or deleted', async () => {
  for (const change of [
    'UPDATE chain_anchors SET hash = hash',
    'DELETE FROM chain_anchors',
    'TRUNCATE chain_anchors',
  ])
    await expect(keeper.queryUnprepared(change, [])).rejects.toMatchObject({ code: '42501' });
});
