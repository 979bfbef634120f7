import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { addDays, newId } from '@plataforma/kernel';
import { error500, eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { readAlarms } from './support/alarms.ts';
import { newTenant } from './support/identity.ts';
import { newOperator, startRefundWorld } from './support/refund-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() => {
  const tuning = { reconcileAfterMs: 0, leaseMs: 30_000 };
  return startRefundWorld({ tuning, settings: { METRICS_PORT: String(scraper.port) } });
});

beforeAll(() => world.startReplica({}, { METRICS_PORT: '0' }));

const today = () => new Date().toISOString().slice(0, 10);
const yesterday = () => addDays(today(), -1);
const noon = () => new Date(`${yesterday()}T12:00:00Z`);

async function position() {
  const [row] = await world.database.query<{
    next_day: string;
    looks: number;
    attempts: number;
    seen: string[];
  }>(`SELECT next_day::text, looks, attempts, seen FROM reconciliations WHERE environment = 'sandbox'`);
  if (!row) throw new Error('nothing is to be reconciled');
  return row;
}

/** Makes a day due for reconciliation, as if the day and the scheduler's delay had passed. */
async function nextDay(from = yesterday()): Promise<void> {
  await world.database.query(
    `UPDATE reconciliations SET next_day = $1, next_at = now(), seen = '{}', looks = 0, attempts = 0,
       lease_token = NULL, lease_until = NULL
     WHERE environment = 'sandbox'`,
    [from],
  );
}

const isDone = () =>
  eventually(async () => expect(await position()).toMatchObject({ next_day: today(), looks: 0 }));
const isLookedAt = (looks = 1) => eventually(async () => expect(await position()).toMatchObject({ looks }));

async function makeDue(): Promise<void> {
  await world.database.query(
    `UPDATE reconciliations SET next_at = now(), lease_until = NULL WHERE environment = 'sandbox'`,
  );
}

/** Compares the same day twice, because only a difference in both comparisons raises an alarm. */
async function nextDayTwice(): Promise<void> {
  await nextDay();
  await isLookedAt();
  await makeDue();
  await isDone();
}

const alarmsOf = async ({ merchantId }: { merchantId: string }) =>
  (await readAlarms(world.client, `&merchantId=${merchantId}`)).alarms;

/** Makes a payment that was received yesterday and that the provider, this service and the ledger know. */
async function paidYesterday({ isListed = true } = {}) {
  const tenant = newTenant();
  const charge = await world.client.newCharge(tenant);
  const [pix] = world.provider.book.pay(charge.txid, { isListed });
  if (!pix) throw new Error('nothing was paid');
  pix.horario = noon().toISOString();
  await world.client.notify(charge.txid);
  await eventually(async () => expect((await world.client.charge(tenant, charge.id)).status).toBe('PAID'));
  return { ...charge, tenant, pix };
}

interface Booked {
  id: string;
  tenant: ReturnType<typeof newTenant>;
  amount: number;
  by?: 'PIX' | 'CARD';
}

function booked({ id, tenant, amount, by = 'PIX' }: Booked) {
  const about = { kind: 'charge_paid', reference: id, ...tenant, paymentMethod: by } as const;
  world.ledger.book({ ...about, received: amount, returned: 0, lost: 0, paidAt: noon() });
}

const FORGE = `
  INSERT INTO charges
  SELECT (jsonb_populate_record(c, jsonb_build_object('id', $2::uuid, 'merchant_id', $3::uuid, 'external_id',
  $2::text,
    'txid', replace($2::text, '-', ''), 'amount_cents', 9000000, 'net_cents', 9000000 - c.fee_cents,
    'end_to_end_id', 'E' || replace($2::text, '-', '')))).*
  FROM charges c WHERE id = $1`;
const FORGE_PAYMENT = `
  INSERT INTO payments
  SELECT (jsonb_populate_record(p, jsonb_build_object('charge_id', $2::uuid, 'amount_cents', 9000000,
    'end_to_end_id', 'E' || replace($2::text, '-', '')))).*
  FROM payments p WHERE charge_id = $1`;

/**
 * Forges a payment with the service's own access to its database. This service and the ledger know the
 * payment; the provider does not.
 */
async function forgedYesterday() {
  const honest = await paidYesterday();
  booked(honest);
  const [id, tenant] = [newId(), newTenant()];
  await world.database.query(FORGE, [honest.id, id, tenant.merchantId]);
  await world.database.query(FORGE_PAYMENT, [honest.id, id]);
  booked({ id, tenant, amount: 9_000_000 });
  return { id, tenant };
}

beforeEach(() => world.database.query(`UPDATE reconciliations SET next_day = $1, looks = 0`, [today()]));

describe('the reconciliation of a past day', () => {
  test('without differences raises no alarm and is done once', async () => {
    const paid = await paidYesterday();
    booked(paid);

    await nextDay();
    await isDone();

    expect(await alarmsOf(paid.tenant)).toEqual([]);
    const again = await world.database.query(
      `SELECT next_at = ((next_day + 1)::timestamp AT TIME ZONE 'UTC') AS waits FROM reconciliations
       WHERE environment = 'sandbox'`,
    );
    expect(again).toEqual([{ waits: true }]);
  });

  test('raises no alarm for a payment missing from the list alone', async () => {
    const late = await paidYesterday({ isListed: false });
    booked(late);

    await nextDay();
    await isDone();

    expect(await alarmsOf(late.tenant)).toEqual([]);
  });

  test('raises no alarm for a method without a provider', async () => {
    const [id, tenant] = [newId(), newTenant()];
    booked({ id, tenant, amount: 700, by: 'CARD' });

    await nextDay();
    await isDone();

    expect(await alarmsOf(tenant)).toEqual([]);
  });

  test('raises one alarm for a payment unknown to its provider', async () => {
    const { id, tenant } = await forgedYesterday();

    await nextDay();
    await isLookedAt();
    const before = await alarmsOf(tenant);
    await makeDue();
    await isDone();
    const alarms = await alarmsOf(tenant);
    await nextDayTwice();

    expect(before).toEqual([]);
    const about = { service: 'charges', subject: 'payment', subjectId: id, chargeId: id, kind: 'UNBACKED' };
    expect(alarms).toEqual([
      expect.objectContaining({
        ...about,
        ...tenant,
        amount: 9_000_000,
        providerReference: expect.any(String),
      }),
    ]);
    expect(await alarmsOf(tenant)).toEqual(alarms);
    const open = (await scraper.scrape()).valueOf('plataforma_alarms_open', { subject: 'payment' });
    expect(open).toBeGreaterThan(0);
    const closing = { note: 'estornado' };
    const closed = await world.operate(`/charges/alarms/${alarms[0]?.id}/settle`, closing, newOperator());
    expect(closed.status).toBe(200);
  });

  test('raises no alarm for a payment recorded before the second check', async () => {
    const late = await paidYesterday();

    await nextDay();
    await isLookedAt();
    booked(late);
    await makeDue();
    await isDone();

    expect(await alarmsOf(late.tenant)).toEqual([]);
  });

  test('raises alarms for unrecorded money and for different amounts', async () => {
    const pix = world.provider.book.payKey(4_200);
    pix.horario = new Date(noon().getTime() + 3_600_000).toISOString();
    const less = await paidYesterday();
    booked({ ...less, amount: less.amount - 1 });
    const nothing = await paidYesterday();
    booked({ ...nothing, amount: 0 });

    await nextDayTwice();

    const { alarms } = await readAlarms(world.client);
    expect(alarms).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'UNRECORDED', providerReference: pix.endToEndId, amount: 4_200 }),
        expect.objectContaining({ kind: 'AMOUNTS_DIFFER', chargeId: less.id, amount: less.amount - 1 }),
        expect.objectContaining({ kind: 'AMOUNTS_DIFFER', chargeId: nothing.id, amount: nothing.amount }),
      ]),
    );
  });
});

describe('a provider outage during reconciliation', () => {
  test('leaves the day open until the provider answers', async () => {
    const { tenant } = await forgedYesterday();
    world.provider.always('list-payments', error500);

    await nextDay();
    await eventually(async () => {
      const [row] = await world.database.query<{ waits: boolean }>(
        `SELECT next_at > now() + interval '30 s' AND lease_token IS NULL AND attempts > 0 AS waits
         FROM reconciliations WHERE environment = 'sandbox'`,
      );
      expect(row?.waits).toBe(true);
    });
    const open = await position();
    const behind = (await scraper.scrape()).valueOf('plataforma_reconciliation_behind_seconds', {
      environment: 'sandbox',
    });
    world.provider.always('list-payments');
    await makeDue();
    await isLookedAt();
    await makeDue();
    await isDone();

    expect(open).toMatchObject({ next_day: yesterday(), looks: 0 });
    expect(behind).toBeGreaterThan(0);
    expect(await alarmsOf(tenant)).toMatchObject([{ kind: 'UNBACKED' }]);
  });

  test('of weeks leaves at most a month to reconcile', async () => {
    await nextDay(addDays(today(), -400));
    await eventually(async () =>
      expect((await position()).next_day.localeCompare(addDays(today(), -31))).toBe(1),
    );
    await nextDay(addDays(today(), 40));
    await isDone();
  });
});
