import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { createTestDatabase, eventually } from '@plataforma/testing';
import { diceOf } from '../../../src/chaos/dice.ts';
import { execute } from '../../../src/chaos/faults/database.ts';
import type { Struck } from '../../../src/chaos/faults/fault.ts';
import { raisedFaults } from '../../../src/chaos/faults/raised.ts';

const MERCHANT = '01a2038f-c7da-7ab5-b4f4-8a5590408e03';
const dice = { ...diceOf(1), int: (from: number) => from };
const [walletRaised] = raisedFaults;

let url: string;

/** The tables and columns of the ledger and of withdrawals that the fault reads. */
const TABLES = `
  CREATE TABLE wallets (merchant_id uuid, environment text,
  blocked_pix_cents bigint CHECK (blocked_pix_cents >= 0));
  CREATE TABLE journal_entries (id uuid, merchant_id uuid, environment text, wallet_sequence bigint);
  CREATE TABLE journal_lines (entry_id uuid, account text, amount_cents bigint);
  CREATE TABLE wallet_snapshots (merchant_id uuid, environment text, changed_at timestamptz, wallet jsonb);
  CREATE TABLE withdrawals (id uuid, merchant_id uuid, environment text, method text, started_at timestamptz);
  CREATE TABLE unproven_payouts (withdrawal_id uuid, reason text);
  INSERT INTO wallets VALUES ('${MERCHANT}', 'sandbox', 70);
  INSERT INTO journal_entries VALUES ('${MERCHANT}', '${MERCHANT}', 'sandbox', 1);
  INSERT INTO journal_lines VALUES ('${MERCHANT}', 'blocked:PIX', 70), ('${MERCHANT}', 'available:PIX', -70)`;

beforeEach(async () => {
  ({ url } = await createTestDatabase());
  await execute(url, TABLES);
});

async function withdraw(startedAt: string): Promise<string> {
  const id = newId();
  await execute(
    url,
    `INSERT INTO withdrawals VALUES ('${id}', '${MERCHANT}', 'sandbox', 'PIX', ${startedAt})`,
  );
  return id;
}

/**
 * Waits until the fault has raised the wallet's money, and then repeats `work` until the fault has ended.
 * `work` must create withdrawals, because the fault ignores older withdrawals.
 */
async function withdrawing(striking: Promise<Struck>, work: () => Promise<unknown>): Promise<Struck> {
  await eventually(async () => expect(await blocked()).toBe(170));
  const isOver = striking.then(() => true);
  while (!(await Promise.race([isOver, sleep(100, false)]))) await work();
  return striking;
}

const blocked = async () =>
  Number((await execute(url, 'SELECT blocked_pix_cents FROM wallets'))[0]?.blocked_pix_cents);

function worldOf() {
  const databaseUrls = {
    gateway: url,
    charges: url,
    withdrawals: url,
    ledger: url,
    webhooks: url,
    'sandbox-psp': url,
  };
  return { postgres: { url }, platform: { databaseUrls }, leftUnproven: new Set<string>() };
}

test('a payout from a raised wallet is recorded, the wallet restored', async () => {
  const before = await withdraw('now()');
  const world = worldOf();

  const { what, isInVain } = await withdrawing(walletRaised.strike(world, dice), () => withdraw('now()'));

  expect([what, isInVain]).toEqual([
    expect.stringMatching(/^by 100: 0 payouts blocked, [1-9]\d* left$/),
    false,
  ]);
  expect(world.leftUnproven.size).toBeGreaterThan(0);
  expect(world.leftUnproven).not.toContain(before);
  expect(await blocked()).toBe(70);
});

test('a blocked or earlier payout is not recorded', async () => {
  await withdraw('now()');
  const world = worldOf();
  const insertSnapshot = `INSERT INTO wallet_snapshots SELECT merchant_id, environment, clock_timestamp(),
    '{"blocked_pix_cents": 170}'
    FROM wallets WHERE blocked_pix_cents = 170 FOR SHARE`;

  const struck = await withdrawing(walletRaised.strike(world, dice), async () => {
    await execute(url, insertSnapshot);
    await execute(url, `INSERT INTO unproven_payouts VALUES ('${await withdraw('NULL')}', 'doubt')`);
  });

  expect(struck).toMatchObject({ what: expect.stringMatching(/^by 100: [1-9]\d* payouts blocked, 0 left$/) });
  expect([struck.isInVain, ...world.leftUnproven]).toEqual([false]);
  expect(await blocked()).toBe(70);
  const snapshots = await execute(url, 'SELECT DISTINCT wallet FROM wallet_snapshots');
  expect(snapshots).toEqual([{ wallet: { blocked_pix_cents: 70 } }]);
});

test('an already raised wallet or one without payouts stays unchanged', async () => {
  const world = worldOf();
  expect(await walletRaised.strike(world, dice)).toMatchObject({ isInVain: true });

  await withdraw('now()');
  await execute(url, 'UPDATE wallets SET blocked_pix_cents = 75');
  expect(await walletRaised.strike(world, dice)).toMatchObject({ isInVain: true });
  expect(await blocked()).toBe(75);
});
