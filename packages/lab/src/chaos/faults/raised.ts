import { eventually } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { execute } from './database.ts';
import type { Fault, Struck } from './fault.ts';

interface Wallets extends Pick<World, 'leftUnproven'> {
  platform: Pick<World['platform'], 'databaseUrls'>;
  postgres: Pick<World['postgres'], 'url'>;
}

interface Wallet {
  tenant: string;
  raise: number;
  raisedAt: string;
}

const LONG_WAIT = { timeoutMs: 120_000, intervalMs: 250 };
/** How long the fault waits for a withdrawal by the wallet's merchant. */
const WITHDRAWS = { timeoutMs: 20_000, intervalMs: 250 };

/** Selects the wallet with the most payouts in the last minute, because its next payout is likely soon. */
const BUSIEST = `
  SELECT format('merchant_id = %L AND environment = %L', merchant_id, environment) AS tenant FROM withdrawals
  WHERE method = 'PIX' AND started_at > now() - interval '1 minute'
  GROUP BY merchant_id, environment ORDER BY count(*) DESC LIMIT 1`;

/**
 * Returns SQL for the excess of a wallet: its blocked money minus the sum of its entries about blocked money.
 * The fault changes blocked money, because no row of the merchant's statement contains it.
 */
const excessOf = (tenant: string) => `
  SELECT clock_timestamp()::text AS now, blocked_pix_cents - (
    SELECT coalesce(sum(amount_cents), 0) FROM journal_entries e JOIN journal_lines ON entry_id = e.id
    WHERE (e.merchant_id, e.environment) = (w.merchant_id, w.environment)
      AND wallet_sequence IS NOT NULL AND account = 'blocked:PIX') AS excess
  FROM wallets w WHERE ${tenant}`;

const changed = (tenant: string, by: number) =>
  `UPDATE wallets SET blocked_pix_cents = blocked_pix_cents + ${by} WHERE ${tenant}`;

/** Returns SQL that corrects the snapshots that the wallet got while it had too much money. */
const rewritten = ({ tenant, raise, raisedAt }: Wallet) => `
  UPDATE wallet_snapshots SET wallet = wallet || jsonb_build_object(
    'blocked_pix_cents', (wallet->>'blocked_pix_cents')::bigint - ${raise})
  WHERE ${tenant} AND changed_at > '${raisedAt}'`;

/**
 * Returns SQL that bypasses the triggers, which only a superuser can do. It locks the wallet before it reads
 * the wallet.
 */
const pastTriggers = (tenant: string, statements: string) => `
  BEGIN; SET LOCAL session_replication_role = replica; SELECT FROM wallets WHERE ${tenant} FOR UPDATE;
  DO $$ DECLARE found record; BEGIN
  ${excessOf(tenant).replace('FROM wallets w', 'INTO found FROM wallets w')};
  ${statements} END $$; COMMIT`;

/**
 * Gives a wallet more money than its entries prove, bypassing the triggers, while its merchant withdraws. The
 * wallet's payouts must then wait. The run records payouts that were sent nevertheless.
 */
async function raiseWallet(world: Wallets, dice: Dice): Promise<Struck> {
  const urls = world.platform.databaseUrls;
  const [busiest] = await eventually(() => execute(urls.withdrawals, BUSIEST), LONG_WAIT);
  const raise = dice.int(100, 99_999_999);
  const wallet = busiest && (await raised(world, String(busiest.tenant), raise));
  if (!wallet) return { what: 'no wallet', isInVain: true, mendedAt: Date.now() };
  const payouts = await payoutsOf(urls.withdrawals, wallet.tenant);
  const isOwn = await lowered(world, wallet);
  if (isOwn) for (const id of payouts.left) world.leftUnproven.add(id);
  return {
    what: `by ${raise}: ${payouts.blocked.length} payouts blocked, ${payouts.left.length} left`,
    isInVain: !isOwn || payouts.blocked.length + payouts.left.length === 0,
    mendedAt: Date.now(),
  };
}

/** Raises the wallet's money. Returns null if another fault has already raised this wallet. */
async function raised(world: Wallets, tenant: string, raise: number): Promise<Wallet | null> {
  const url = ledgerOf(world);
  const only = `IF found.excess = 0 THEN ${changed(tenant, raise)}; END IF;`;
  const [before] = await eventually(() => execute(url, excessOf(tenant)), LONG_WAIT);
  await eventually(() => execute(url, pastTriggers(tenant, only)), LONG_WAIT);
  const [after] = await eventually(() => execute(url, excessOf(tenant)), LONG_WAIT);
  return Number(after?.excess) === raise ? { tenant, raise, raisedAt: String(before?.now) } : null;
}

async function lowered(world: Wallets, wallet: Wallet): Promise<boolean> {
  const { tenant, raise } = wallet;
  const url = ledgerOf(world);
  const [before] = await eventually(() => execute(url, excessOf(tenant)), LONG_WAIT);
  const only = `IF found.excess = ${raise} THEN ${changed(tenant, -raise)}; ${rewritten(wallet)}; END IF;`;
  await eventually(() => execute(url, pastTriggers(tenant, only)), LONG_WAIT);
  return Number(before?.excess) === raise;
}

/**
 * Returns SQL for the Pix withdrawals that are not in `existing`. Selects only withdrawals that were sent or
 * blocked, because the wallet was verified only for these.
 */
const sinceOf = (tenant: string, existing: readonly string[]) => `
  SELECT id, started_at IS NOT NULL AS "hasLeft" FROM withdrawals
  WHERE ${tenant} AND method = 'PIX' AND NOT id = ANY ('{${existing.join()}}')
    AND (started_at IS NOT NULL
      OR EXISTS (SELECT FROM unproven_payouts WHERE withdrawal_id = id AND reason = 'doubt'))`;

async function payoutsOf(url: string, tenant: string) {
  const all = `SELECT id FROM withdrawals WHERE ${tenant}`;
  const existing = (await eventually(() => execute(url, all), LONG_WAIT)).map(({ id }) => String(id));
  const findNew = async () => {
    const rows = await execute(url, sinceOf(tenant, existing));
    if (rows.length === 0) throw new Error('no payout yet');
    return rows;
  };
  const rows = await eventually(findNew, WITHDRAWS).catch(() => []);
  const ids = (hasLeft: boolean) => rows.filter((row) => row.hasLeft === hasLeft).map(({ id }) => String(id));
  return { left: ids(true), blocked: ids(false) };
}

function ledgerOf({ postgres, platform }: Wallets): string {
  const url = new URL(postgres.url);
  url.pathname = new URL(platform.databaseUrls.ledger).pathname;
  return url.href;
}

export const raisedFaults = [
  { name: 'wallet raised by SQL', group: 'database', weight: 2, strike: raiseWallet },
] as const satisfies Fault[];
