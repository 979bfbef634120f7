import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import { addDays, dayOf, startOfDay, type Tenant } from '@plataforma/kernel';
import { clockNews, eventually } from '@plataforma/testing';
import { silent } from '@plataforma/testing/world';
import { announceSettledDays } from '../src/operations/announce-settled-days.ts';
import { brokenPromises } from './support/books.ts';
import { disputeOf, paidByCard, refundOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => expect(await brokenPromises(world.database)).toEqual([]));
afterAll(() => world.stop());

const ZONE = 'America/Sao_Paulo';
const day = addDays(dayOf(new Date(), ZONE), 3);
const noon = (date: string) => new Date(startOfDay(date, ZONE).getTime() + 12 * 3_600_000);

const moveTo = ({ merchantId }: Tenant, to: Date, version: number) =>
  world.tell(clockNews(merchantId, { sandboxAheadMs: to.getTime() - Date.now(), version }));

/** The events of a wallet, as merchants receive them. */
async function announced({ merchantId }: Tenant) {
  const rows = await world.database.query<{ body: string }>(
    `SELECT body FROM outbox WHERE type = 'receivable.settled' ORDER BY event_id`,
    [],
  );
  const events = rows.map(({ body }) => JSON.parse(body)).filter((event) => event.merchantId === merchantId);
  return events.map(({ environment, data }) => ({
    environment,
    ...webhookEvents['receivable.settled'].parse(data),
  }));
}

const of = (date: string, count: number, amount: number) => ({
  ...{ environment: 'sandbox', id: expect.any(String), paymentMethod: 'CARD' },
  ...{ date, count, amount },
});

test('a day is announced once, after its end, with all that settled on it', async () => {
  const tenant = newTenant();
  const settlesAt = startOfDay(day, ZONE).toISOString();
  const card = (amount: number, at = settlesAt) =>
    paidByCard(tenant, { amount, feeAmount: 0, settlesAt: at });
  const [first, second, later] = [card(1_000), card(2_000), card(4_000, noon(addDays(day, 1)).toISOString())];
  const dispute = disputeOf(second, 700);
  await world.tell(first, second, later, dispute.opened);
  await world.refund(refundOf(first, { amount: 100 }));
  await moveTo(tenant, noon(day), 2);
  await eventually(async () =>
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_200, pendingBalance: 4_000 }),
  );
  // Money of a won dispute settles on the same day, later.
  await world.tell(dispute.resolved('RESOLVED_MERCHANT'));
  await eventually(async () =>
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_900, pendingBalance: 4_000 }),
  );
  expect(await announced(tenant)).toEqual([]);

  await moveTo(tenant, noon(addDays(day, 2)), 3);
  await Promise.all(
    Array.from({ length: 4 }, () => announceSettledDays({ database: world.database, log: silent })),
  );

  await eventually(async () => expect(await announced(tenant)).toHaveLength(1));
  expect(await announced(tenant)).toEqual([of(day, 2, 2_900)]);
  // Money settles on the day of the sandbox on which the ledger moves it.
  await eventually(async () =>
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 6_900, pendingBalance: 0 }),
  );
  await moveTo(tenant, noon(addDays(day, 3)), 4);
  await eventually(async () =>
    expect(await announced(tenant)).toEqual([of(day, 2, 2_900), of(addDays(day, 2), 1, 4_000)]),
  );
});
