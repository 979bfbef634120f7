import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { dueByClock } from '@plataforma/service';
import { clockMoved, eventually } from '@plataforma/testing';
import { soundWorld } from './support/books.ts';
import { paid, paidByCard } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const daysAhead = (time: Date | string) => Math.round((new Date(time).getTime() - Date.now()) / DAY_MS) + 0;

const move = ({ merchantId }: Tenant, days: number, version = days) =>
  world.deliver(clockMoved(merchantId, { sandboxAheadMs: days * DAY_MS, version }));

const dueOf = async ({ merchantId }: Tenant) =>
  dueByClock.parse((await world.askAs('gateway', `/internal/sandbox-clock?merchantId=${merchantId}`)).data);

const rowsOf = (id: string) =>
  world.database.query<{ type: string; at: Date }>(
    'SELECT type, created_at AS at FROM wallet_transactions WHERE charge_id = $1 ORDER BY ordinal',
    [id],
  );

describe('a sandbox with a moved clock', () => {
  test('settles only its own receivables due by that clock', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const soon = paidByCard(tenant, { amount: 1_000, feeAmount: 0, settlesAt: inDays(2) });
    const later = paidByCard(tenant, { amount: 2_000, feeAmount: 0, settlesAt: inDays(9) });
    const strangers = paidByCard(other, { amount: 4_000, feeAmount: 0, settlesAt: inDays(2) });
    await world.deliver(soon, later, strangers);
    expect(await dueOf(tenant)).toEqual({ aheadMs: 0, due: 0 });

    await move(tenant, 3);

    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 1_000, pendingBalance: 2_000 }),
    );
    expect(await dueOf(tenant)).toEqual({ aheadMs: 3 * DAY_MS, due: 0 });
    expect(await world.balanceOf(other)).toMatchObject({ availableBalance: 0, pendingBalance: 4_000 });
    const [entry] = await world.database.query<{ at: Date; posted: Date }>(
      `SELECT occurred_at AS at, created_at AS posted FROM journal_entries
       WHERE kind = 'receivable_due' AND charge_id = $1`,
      [soon.data.id],
    );
    expect([daysAhead(entry?.at ?? ''), daysAhead(entry?.posted ?? '')]).toEqual([3, 3]);
  });

  test('dates its rows by that clock, which never goes back', async () => {
    const tenant = newTenant();
    const [before, after, last] = [paid(tenant), paid(tenant), paid(tenant)];
    await world.deliver(before);
    await move(tenant, 40);
    await world.deliver(after);

    await move(tenant, 10, 3);
    await world.deliver(clockMoved(tenant.merchantId, { sandboxAheadMs: 0, version: 4 }));
    await world.deliver(last);

    const dates = await Promise.all([before, after, last].map(({ data }) => rowsOf(data.id)));
    expect(dates.map((rows) => rows.map(({ at }) => daysAhead(at)))).toEqual([
      [0, 0],
      [40, 40],
      [40, 40],
    ]);
  });

  test('shows closings of days over by that clock', async () => {
    const tenant = newTenant();
    await world.deliver(paid(tenant, { amount: 2_500, feeAmount: 25 }));
    await move(tenant, 3);
    await world.deliver(paid(tenant, { amount: 1_000, feeAmount: 0 }));

    const shown = await world.read(tenant, '/v1/statement/closings');
    const { closings } = api.listClosings.data.parse(shown.data);
    const { data: now } = await world.read(tenant, `/v1/balance?at=${inDays(2)}`);

    expect(closings.slice(-3).map(({ closingBalance }) => closingBalance)).toEqual([2_475, 2_475, 2_475]);
    expect(daysAhead(closings.at(-1)?.endsAt ?? '')).toBeGreaterThanOrEqual(2);
    expect(now).toMatchObject({ availableBalance: 2_475 });
  });

  test('waits for postings by the former clock before it moves', async () => {
    const tenant = await merchantIn(world);
    const sandbox = [tenant.merchantId, 'sandbox'];

    await world.database.transaction(async (tx) => {
      await tx.query('SELECT FROM wallets WHERE merchant_id = $1 AND environment = $2 FOR UPDATE', sandbox);
      await world.emitter.announce(clockMoved(tenant.merchantId, { sandboxAheadMs: DAY_MS, version: 2 }));
      await eventually(async () => {
        const waiting = await world.database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(waiting.length).toBeGreaterThan(0);
      });
      expect(await dueOf(tenant)).toMatchObject({ aheadMs: 0 });
    });

    await eventually(async () => expect(await dueOf(tenant)).toMatchObject({ aheadMs: DAY_MS }));
  });
});

test('production keeps real time when the sandbox clock moves', async () => {
  const production: Tenant = { merchantId: newId(), environment: 'production' };
  const sandbox: Tenant = { ...production, environment: 'sandbox' };
  const [live, trial] = [production, sandbox].map((tenant) =>
    paidByCard(tenant, { amount: 1_000, feeAmount: 0, settlesAt: inDays(2) }),
  );
  if (!live || !trial) throw new Error('two charges were made');
  await world.deliver(live, trial);

  await move(production, 300);
  await eventually(async () =>
    expect(await world.balanceOf(sandbox)).toMatchObject({ availableBalance: 1_000 }),
  );
  const after = paid(production);
  await world.deliver(after);

  expect(await world.balanceOf(production)).toMatchObject({ pendingBalance: 1_000 });
  expect((await rowsOf(after.data.id)).map(({ at }) => daysAhead(at))).toEqual([0, 0]);
});
