import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { approvalRate, hoursOf } from '../src/domain/volume.ts';
import { merchantHeader, newTenant } from './support/identity.ts';
import { startRefundWorld } from './support/refund-world.ts';

const world = worldOfFile(startRefundWorld);

async function read(tenant: Tenant, query = '', scopes?: Parameters<typeof merchantHeader>[1]) {
  const headers = merchantHeader(tenant, scopes);
  const answer = await world.client.send(`/v1/reports/volume${query}`, { method: 'GET', headers });
  const report = api.readVolume.data.safeParse(answer.data).data;
  return { ...answer, volumes: report?.volumes ?? [], report };
}

const INSERT = `
  INSERT INTO charges (id, merchant_id, environment, external_id, txid, payment_method, amount_cents,
  fee_cents,
    net_cents, status, payer_name, payer_document, created_at, expires_at, paid_at, end_to_end_id,
    installments,
    acquirer_id, next_check_at, refunded_cents, refunded_at)
  SELECT id, $2, $3, id::text, replace(id::text, '-', ''), method, 1000, 10, 990, status, 'Ana', '1', at,
    CASE method WHEN 'PIX' THEN at END, CASE WHEN status <> 'DECLINED' THEN at END,
    CASE method WHEN 'PIX' THEN id::text END, CASE method WHEN 'CARD' THEN 1 END, CASE method
    WHEN 'CARD' THEN id::text END,
    'infinity', refunded, CASE WHEN refunded IS NOT NULL THEN at END
  FROM (SELECT $1::uuid AS id, $4::text AS method, $5::text AS status, $6::timestamptz AS at,
    $7::bigint AS refunded) AS seeded`;

interface Seeded {
  at: string;
  method?: 'PIX' | 'CARD';
  status?: string;
  refunded?: number;
}

/** Inserts a charge of 1,000 cents with a fee of 10 cents. */
function seed(
  { merchantId, environment }: Tenant,
  { at, method = 'PIX', status = 'PAID', refunded }: Seeded,
) {
  const values = [newId(), merchantId, environment, method, status, at, refunded ?? null];
  return world.database.query(INSERT, values);
}

const NOTHING = { refundedAmount: 0, disputedAmount: 0, declinedCount: 0 };

describe('the volume of a merchant', () => {
  test('shows payments, refunds and disputes at once, by payment hour', async () => {
    const charge = await world.paidCharge({ amount: 5_000 });
    const other = await world.paidCharge({ amount: 3_000 }, { tenant: charge.tenant });
    const startsAt = `${(await charge.now()).paidAt?.slice(0, 13)}:00:00.000Z`;
    const before = (await read(charge.tenant, '?interval=hour')).volumes;
    await charge.refund({ amount: 700 });
    await world.dispute(other.id);

    const after = (await read(charge.tenant, '?interval=hour')).volumes;

    const fees = charge.feeAmount + other.feeAmount;
    const paid = {
      count: 2,
      grossAmount: 8_000,
      feeAmount: fees,
      netAmount: 8_000 - fees,
      approvalRate: null,
    };
    expect(before).toEqual([{ startsAt, paymentMethod: 'PIX', ...paid, ...NOTHING }]);
    expect(after).toEqual([{ ...before[0], refundedAmount: 700, disputedAmount: 3_000 }]);
  });

  test.each([
    ['a part', { refunded: 0, disputed: 3_000 }, [0, 3_000]],
    ['the remainder after a refund', { refunded: 3_000, disputed: undefined }, [3_000, 7_000]],
    ['a part of the remainder', { refunded: 3_000, disputed: 2_000 }, [3_000, 2_000]],
  ])(
    'has the amount of a dispute about %s until its decision',
    async (_what, { refunded, disputed }, figures) => {
      const charge = await world.paidCharge({ amount: 10_000 });
      if (refunded > 0) {
        await charge.refund({ amount: refunded });
        await charge.becomes('DONE');
      }
      const figuresOf = async (interval: string) =>
        (await read(charge.tenant, `?interval=${interval}`)).volumes.map(
          ({ refundedAmount, disputedAmount }) => [refundedAmount, disputedAmount],
        );

      const dispute = await world.dispute(charge.id, disputed ? { amount: disputed } : {});

      expect(await figuresOf('hour')).toEqual([figures]);
      expect(await figuresOf('month')).toEqual([figures]);
      const { id } = z.object({ id: z.string() }).parse(dispute.data);
      await world.operate(`/disputes/${id}/resolve`, { outcome: 'CUSTOMER', resolution: 'lost' });
      expect(await figuresOf('hour')).toEqual([[figures.reduce((sum, amount) => sum + amount), 0]]);
    },
  );

  test('is by hour, day or month, by default in São Paulo', async () => {
    const tenant = newTenant();
    const instants = [
      '2026-11-01T02:59:59Z',
      '2026-11-01T03:00:00Z',
      '2026-11-30T23:00:00Z',
      '2026-12-01T02:59:59Z',
    ];
    for (const at of instants) await seed(tenant, { at });
    const period = 'startDate=2026-10-01&endDate=2026-12-31';
    const starts = async (query: string) =>
      (await read(tenant, query)).volumes.map(({ startsAt, count }) => [startsAt, count]);

    expect(await starts(`?interval=month&${period}`)).toEqual([
      ['2026-10-01T03:00:00.000Z', 1],
      ['2026-11-01T03:00:00.000Z', 3],
    ]);
    expect(await starts(`?interval=month&timeZone=UTC&${period}`)).toEqual([
      ['2026-11-01T00:00:00.000Z', 3],
      ['2026-12-01T00:00:00.000Z', 1],
    ]);
    expect(await starts(`?${period}`)).toEqual([
      ['2026-10-31T03:00:00.000Z', 1],
      ['2026-11-01T03:00:00.000Z', 1],
      ['2026-11-30T03:00:00.000Z', 2],
    ]);
    expect(await starts('?interval=hour&startDate=2026-11-01&endDate=2026-11-30')).toEqual([
      ['2026-11-01T03:00:00.000Z', 1],
      ['2026-11-30T23:00:00.000Z', 1],
      ['2026-12-01T02:00:00.000Z', 1],
    ]);
    const two = { count: 2, grossAmount: 2_000, feeAmount: 20, netAmount: 1_980, approvalRate: null };
    expect((await read(tenant, '?startDate=2026-11-30&endDate=2026-11-30')).report).toEqual({
      timeZone: 'America/Sao_Paulo',
      interval: 'day',
      volumes: [{ startsAt: '2026-11-30T03:00:00.000Z', paymentMethod: 'PIX', ...two, ...NOTHING }],
    });
  });

  test('includes whole hours at the edges of its period', async () => {
    const tenant = newTenant();
    await seed(tenant, { at: '2026-11-10T12:10:00Z' });
    await seed(tenant, { at: '2026-11-10T13:50:00Z' });

    const cut = '?startDate=2026-11-10T12:30:00Z&endDate=2026-11-10T13:20:00Z';
    expect((await read(tenant, cut)).volumes).toMatchObject([{ count: 2 }]);
  });

  test('shows declined cards and the approval rate', async () => {
    const tenant = newTenant();
    const at = '2026-11-10T12:00:00Z';
    for (const status of ['PAID', 'REFUNDED', 'DECLINED']) {
      await seed(tenant, { at, method: 'CARD', status, ...(status === 'REFUNDED' ? { refunded: 400 } : {}) });
    }
    await seed(tenant, { at: '2026-11-11T12:00:00Z', method: 'CARD', status: 'DECLINED' });
    await seed(tenant, { at });

    const { volumes } = await read(tenant, '?startDate=2026-11-10&endDate=2026-11-11');

    expect(volumes).toMatchObject([
      { paymentMethod: 'CARD', count: 2, declinedCount: 1, approvalRate: 0.6667, refundedAmount: 400 },
      { paymentMethod: 'PIX', count: 1, declinedCount: 0, approvalRate: null },
      { paymentMethod: 'CARD', count: 0, declinedCount: 1, approvalRate: 0, grossAmount: 0 },
    ]);
  });

  test('belongs to one merchant and one environment', async () => {
    const tenant = newTenant();
    await seed(tenant, { at: '2026-11-10T12:00:00Z' });
    const query = '?startDate=2026-11-10&endDate=2026-11-10';

    expect((await read(newTenant(), query)).volumes).toEqual([]);
    expect((await read({ ...tenant, environment: 'production' }, query)).volumes).toEqual([]);
  });

  test.each([
    ['?interval=week', /^interval: /],
    ['?interval=hour&startDate=2026-10-01&endDate=2026-11-01', /^startDate: by hour at most 31 days/],
    ['?startDate=2025-01-01&endDate=2026-01-02', /^startDate: by day at most 366 days/],
    ['?interval=month&startDate=2023-01-01&endDate=2025-01-02', /^startDate: by month at most 732 days/],
    ['?startDate=2026-11-02&endDate=2026-11-01', /^startDate: must not be after endDate/],
    ['?startDate=2026-11-02T10:00', /^startDate: .*seconds and Z or an offset/],
    ['?page=1', /^page: /],
  ])('requested with %s is refused', async (query, message) => {
    const { status, error } = await read(newTenant(), query);

    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test.each(['0001-01-01', '9999-12-31', '9999-12-31T23:59:59-23:59'])('until %s is empty', async (end) => {
    expect(await read(newTenant(), `?interval=month&endDate=${end}`)).toMatchObject({
      status: 200,
      volumes: [],
    });
  });

  test('comes from sums that match the charges', async () => {
    const plan = await world.database.queryUnprepared(
      `EXPLAIN SELECT sum(paid) FROM charge_volumes WHERE merchant_id = $1 AND environment = 'sandbox'
        AND hour >= now()`,
      [newId()],
    );
    const differences = await world.database.query(
      `SELECT * FROM (SELECT merchant_id, hour, payment_method, sum(paid) AS paid, sum(gross_cents) AS gross,
           sum(fee_cents) AS fees, sum(refunded_cents) AS refunded FROM charge_volumes GROUP BY 1, 2,
           3) AS kept
       FULL JOIN (SELECT merchant_id, date_trunc('hour', paid_at, 'UTC') AS hour, payment_method,
       count(*) AS paid,
           sum(amount_cents) AS gross, sum(fee_cents) AS fees, sum(coalesce(refunded_cents, 0)) AS refunded
         FROM charges WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3) AS there USING (merchant_id, hour,
         payment_method)
       WHERE coalesce(kept.paid, 0) <> coalesce(there.paid, 0) OR coalesce(kept.gross,
       0) <> coalesce(there.gross, 0)
         OR coalesce(kept.fees, 0) <> coalesce(there.fees, 0)
         OR coalesce(kept.refunded, 0) <> coalesce(there.refunded, 0)`,
    );

    const disputed = await world.database.queryUnprepared(
      `EXPLAIN SELECT sum(amount_cents) FROM disputes
       WHERE merchant_id = $1 AND environment = 'sandbox' AND status IN ('OPEN', 'UNDER_REVIEW')`,
      [newId()],
    );

    expect(JSON.stringify(plan)).toContain('charge_volumes_pkey');
    expect(JSON.stringify(disputed)).toContain('disputes_of_merchant_undecided');
    expect(differences).toEqual([]);
  });
});

describe('the hours of a report', () => {
  const now = new Date('2026-11-30T02:30:00Z');

  test.each([
    ['hour' as const, '2026-11-29T03:00:00.000Z'],
    ['day' as const, '2026-10-31T03:00:00.000Z'],
    ['month' as const, '2025-12-01T03:00:00.000Z'],
  ])('by %s begin by default at %s', (interval, from) => {
    const hours = hoursOf({ interval, timeZone: 'America/Sao_Paulo' }, now);

    expect([hours.from.toISOString(), hours.until]).toEqual([from, now]);
  });
});

test.each([
  [{ paid: 0, declined: 0 }, null],
  [{ paid: 1, declined: 2 }, 0.3333],
  [{ paid: 2, declined: 0 }, 1],
])('the approval rate of %j is %s', (counts, rate) => {
  expect(approvalRate(counts)).toBe(rate);
});
