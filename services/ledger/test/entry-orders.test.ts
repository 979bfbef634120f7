import { describe, expect, test } from '@jest/globals';
import type { Database, RowSeals } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { flipColumns, worldOfFile } from '@plataforma/testing/world';
import type { Fact } from '../src/domain/fact.ts';
import { postFacts } from '../src/store/post-facts.ts';
import { disputeOf, paid, refundOf, withdrawalOf } from './support/emitter.ts';
import { runSealRows } from './support/seal-rows.ts';
import { differencesOf, entryAt, eventful, lengthOf } from './support/tampering.ts';
import { changeWallet, merchantIn } from './support/wallet-calls.ts';
import { ownRoleIn, startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
/** A connection of a person who has the login of the ledger, but not its key. */
const insider = ownRoleIn(world);

const origin = { occurredAt: '2026-11-21T12:00:00.000Z', orderedBy: `operator:${newId()}` } as const;

/** Posts a fact with the ledger's own code, so that lines, hashes, rows and wallet are right. */
async function forge(tenant: Tenant, fact: Fact, seals?: RowSeals): Promise<string> {
  const before = await lengthOf(world, tenant);
  const [outcome] = await insider.transaction((tx) => postFacts(seals ? { ...tx, seals } : tx, [[fact]]));
  expect(outcome).toEqual({ is: 'posted' });
  return entryAt(world, tenant, before + 1);
}

const adjustmentOf = (tenant: Tenant, amount = 99_999): Fact => ({
  ...{ ...tenant, ...origin, kind: 'adjustment', reference: newId(), amount, memo: 'a kindness' },
});

async function misfitsOf({ merchantId, environment }: Tenant): Promise<unknown> {
  const query = new URLSearchParams({ merchantId, environment, withdrawalId: newId() });
  const { data } = await world.askAs('withdrawals', `/internal/wallet-proof?${query}`);
  return (data as { misfits: number }).misfits;
}

/** Creates a wallet with blocked money, a refund, a withdrawal and an open dispute. */
async function busyWallet() {
  const tenant = await merchantIn(world);
  const charge = paid(tenant, { amount: 10_000 });
  const dispute = disputeOf(charge, 1_000);
  const [refund, withdrawal] = [
    refundOf(charge, { amount: 100 }),
    withdrawalOf(tenant, { netAmount: 50, fee: 0 }),
  ];
  await world.deliver(charge, dispute.opened);
  await world.refund(refund);
  await world.withdraw(withdrawal.order);
  await changeWallet(world.first, 'blocks', { ...tenant, amount: 300 });
  const of = { ...tenant, ...origin, reference: newId() };
  const ofCharge = { ...of, chargeId: charge.data.id, method: 'PIX' as const };
  return { tenant, of, ofCharge, dispute: dispute.opened.data.id, refund, withdrawal: withdrawal.order };
}
type Busy = Awaited<ReturnType<typeof busyWallet>>;

describe('an entry that an intruder with the ledger’s role posts as the ledger would', () => {
  test.each<[Fact['kind'], (busy: Busy) => Fact]>([
    ['adjustment', ({ of }) => ({ ...of, kind: 'adjustment', amount: 99_999, memo: 'x' })],
    ['block', ({ of }) => ({ ...of, kind: 'block', amount: 300, memo: 'x' })],
    ['unblock', ({ of }) => ({ ...of, kind: 'unblock', amount: 300, memo: 'x' })],
    [
      'charge_paid',
      ({ of }) => ({
        ...of,
        kind: 'charge_paid',
        method: 'PIX',
        amount: 700,
        fee: 1,
        externalId: 'x',
        settlesAt: null,
      }),
    ],
    [
      'refund_refused',
      ({ ofCharge, refund: { id, amount } }) => ({
        ...ofCharge,
        kind: 'refund_refused',
        reference: id,
        amount,
      }),
    ],
    ['dispute_opened', ({ ofCharge }) => ({ ...ofCharge, kind: 'dispute_opened', amount: 500 })],
    [
      'dispute_won',
      ({ ofCharge, dispute }) => ({ ...ofCharge, kind: 'dispute_won', reference: dispute, amount: 1_000 }),
    ],
    [
      'withdrawal_created',
      ({ of }) => ({ ...of, kind: 'withdrawal_created', method: 'PIX', netAmount: 70, fee: 1 }),
    ],
    [
      'withdrawal_returned',
      ({ of, withdrawal: { id } }) => ({
        ...of,
        kind: 'withdrawal_returned',
        reference: id,
        netAmount: 50,
        fee: 0,
      }),
    ],
  ])('is named as one without an order: %s', async (kind, factOf) => {
    const busy = await busyWallet();
    const { tenant } = busy;
    expect(await differencesOf(world, tenant)).toEqual([]);

    const id = await forge(tenant, factOf(busy));

    expect(await differencesOf(world, tenant)).toEqual([[`${kind} without an order (${id})`, 1, 0]]);
    expect(await misfitsOf(tenant)).toBe(1);
  });

  test.each([
    ['the seal of another entry', (seal: string) => seal],
    ['a seal of another key', () => 'test:AAAA'],
    ['a seal of an unknown key', () => 'mine:AAAA'],
  ])('is named with %s', async (_which, sealFrom) => {
    const tenant = await merchantIn(world);
    const [own] = await insider.query<{ seal: string }>(
      'SELECT seal FROM journal_entries WHERE merchant_id = $1',
      [tenant.merchantId],
    );
    const seals: RowSeals = { sealOf: () => sealFrom(own?.seal ?? ''), isTrusted: () => true };

    const id = await forge(tenant, adjustmentOf(tenant), seals);

    expect(await differencesOf(world, tenant)).toEqual([[`adjustment without an order (${id})`, 1, 0]]);
  });

  test('is counted with the first ids of its kind, also for the gateway', async () => {
    const tenant = await merchantIn(world);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await forge(tenant, adjustmentOf(tenant)));

    const query = new URLSearchParams({ ...tenant });
    const { data } = await world.askAs('gateway', `/internal/books/verify?${query}`);

    const what = `adjustment without an order (${ids.slice(0, 3).join(', ')})`;
    expect(data).toMatchObject({ differences: [{ ...tenant, what, recorded: 5, computed: 0 }] });
  });
});

const ORDERS = `
  SELECT kind, split_part(ordered_by, ':', 1) AS by, split_part(ordered_by, ':', 2) AS name
  FROM journal_entries WHERE merchant_id = $1`;

test('every entry says by which order the ledger wrote it', async () => {
  const { tenant } = await eventful(world);
  await changeWallet(world.first, 'unblocks', { ...tenant, amount: 300 });

  const rows = await insider.query<{ kind: string; by: string; name: string }>(ORDERS, [tenant.merchantId]);

  const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const event = { by: 'event', name: UUID };
  const operator = { by: 'operator', name: UUID };
  const expected = {
    ...{ charge_paid: event, refund_refused: event, dispute_opened: event, dispute_lost: event },
    ...{ withdrawal_completed: event, withdrawal_returned: event, debt_collected: event },
    ...{ adjustment: operator, block: operator, unblock: operator },
    withdrawal_created: { by: 'service', name: expect.stringMatching(/^withdrawals [\w-]{43}$/) },
    refund: { by: 'service', name: 'charges' },
  };
  for (const { kind, ...order } of rows)
    expect({ [kind]: order }).toEqual({ [kind]: expected[kind as 'block'] });
  expect(new Set(rows.map(({ kind }) => kind)).size).toBeGreaterThan(9);
});

/** A connection that changes rows in spite of triggers, as an administrator of the database server can. */
const administrator: Database = {
  ...({} as Database),
  query: (sql, values) => world.database.query(sql, values),
  queryUnprepared: (sql, values) =>
    world.database.transaction(async (tx) => {
      await tx.query('SET LOCAL session_replication_role = replica');
      return tx.queryUnprepared(sql, values);
    }),
};

test('a changed column of an entry is a difference', async () => {
  const tenant = await merchantIn(world);
  await changeWallet(world.first, 'adjustments', { ...tenant, amount: 500 });
  let tried = 0;
  for (const sequence of [1, 2]) {
    const id = await entryAt(world, tenant, sequence);
    for await (const flip of flipColumns(administrator, 'journal_entries', { id, without: ['id'] })) {
      expect([flip, (await differencesOf(world, tenant)).length]).not.toEqual([flip, 0]);
      tried += 1;
    }
    expect(await differencesOf(world, tenant)).toEqual([]);
  }
  expect(tried).toBeGreaterThan(20);
});

const sealRows = (env?: Record<string, string>) => runSealRows(world, env);

describe('entries of a release without seals', () => {
  test('are named until the command trusts them, and later forged entries are named', async () => {
    const tenant = await merchantIn(world);
    const [old] = [await forge(tenant, adjustmentOf(tenant)), await forge(tenant, adjustmentOf(tenant))];
    expect(await misfitsOf(tenant)).toBe(1);

    expect(await sealRows()).toMatchObject({ trusted_entries: expect.any(Number) });

    expect([await differencesOf(world, tenant), await misfitsOf(tenant)]).toEqual([[], 0]);
    expect(await sealRows()).toMatchObject({ trusted_entries: 0 });
    const forged = await forge(tenant, adjustmentOf(tenant));
    const named = [`adjustment without an order (${forged})`, 1, 0];
    expect(await differencesOf(world, tenant)).toEqual([named]);

    const [row] = await insider.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM trusted_entries WHERE merchant_id = $1',
      [tenant.merchantId],
    );
    expect(row).toEqual({ count: 1 });
    const flips = flipColumns(insider, 'trusted_entries', {
      id: tenant.merchantId,
      key: 'merchant_id',
      without: ['merchant_id'],
    });
    let tried = 0;
    for await (const flip of flips) {
      const found = JSON.stringify(await differencesOf(world, tenant));
      expect([flip, found]).toEqual([flip, expect.stringContaining(old)]);
      tried += 1;
    }
    expect(tried).toBe(4);
    expect(await differencesOf(world, tenant)).toEqual([named]);
  });

  test('may be written while ROW_SEALS is accept', async () => {
    const tenant = await merchantIn(world);
    await forge(tenant, adjustmentOf(tenant));
    const accepting = await world.startReplica(undefined, { ROW_SEALS: 'accept' });

    expect(await differencesOf({ ...world, first: accepting }, tenant)).toEqual([]);
    await accepting.stop();
  });
});

test('entries of an older key stay trusted after the command', async () => {
  const tenant = await merchantIn(world);
  const next = `next:${Buffer.alloc(32, 9).toString('base64')}`;
  const rotated = await world.startReplica(undefined, { ROW_KEYS: next });
  const found = () => differencesOf({ ...world, first: rotated }, tenant);
  expect(await found()).toHaveLength(1);

  await sealRows({ ROW_KEYS: `${next},${world.env.ROW_KEYS}` });

  expect(await found()).toEqual([]);
  await rotated.stop();
  await sealRows();
});

test('the scheduler counts an entry without an order', async () => {
  await sealRows();
  const tenant = await merchantIn(world);
  await forge(tenant, adjustmentOf(tenant));
  const checking = await world.startReplica(undefined, { BOOKS_CHECK_EVERY_MINUTES: '60' });

  await eventually(async () => {
    expect(await insider.query('SELECT place, differences FROM book_checks')).toEqual([
      { place: null, differences: 1 },
    ]);
  });
  await checking.stop();
});
