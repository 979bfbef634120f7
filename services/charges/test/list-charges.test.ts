import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ChargeInListView } from '@plataforma/contracts';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
let fiveDays: { tenant: Tenant; ids: string[] };

beforeAll(async () => {
  fiveDays = await shopWithChargesAt(
    '2026-11-09T23:59:59.999Z',
    '2026-11-10T00:00:00.000Z',
    '2026-11-10T23:59:59.999Z',
    '2026-11-11T00:00:00.000Z',
    '2026-11-12T12:00:00.000Z',
  );
});

const page = z.array(api.listCharges.data);

async function listed(tenant: Tenant, query = ''): Promise<ChargeInListView[]> {
  return page.parse((await world.client.list(tenant, query)).data);
}

/** Makes a merchant that has a charge created at each of these instants, in the given order. */
async function shopWithChargesAt(...instants: string[]): Promise<{ tenant: Tenant; ids: string[] }> {
  const tenant = newTenant();
  const ids: string[] = [];
  for (const instant of instants) {
    const { id } = await world.client.newCharge(tenant);
    await world.database.query('UPDATE charges SET created_at = $2 WHERE id = $1', [id, instant]);
    ids.push(id);
  }
  return { tenant, ids };
}

describe('a list of charges', () => {
  test('of a new merchant is one empty page', async () => {
    const { status, data, meta } = await world.client.list(newTenant());

    expect([status, data, meta]).toEqual([200, [], { total: 0, page: 1, limit: 20, pages: 0 }]);
  });

  test('shows each charge without its codes and refunds', async () => {
    const tenant = newTenant();
    const charge = await world.client.newCharge(tenant, { description: 'Camiseta' });
    const { qrCode, qrCodeBase64, refunds, disputeId, checkoutUrl, metadata, ...shown } = charge;

    const { data } = await world.client.list(tenant);

    expect(data).toEqual([shown]);
    expect([qrCode, qrCodeBase64]).not.toContain(null);
    expect([refunds, disputeId, checkoutUrl, metadata]).toEqual([[], null, null, {}]);
  });

  test('is newest first, and by id at the same time', async () => {
    const [early, noon] = ['2026-11-20T08:00:00.000Z', '2026-11-20T12:00:00.000Z'];
    const { tenant, ids } = await shopWithChargesAt(noon, early, noon, '2026-11-20T12:00:00.001Z', noon);
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;

    const order = (await listed(tenant)).map(({ id }) => id);

    expect(order).toEqual([fourth, fifth, third, first, second]);
  });

  test('has the charges of one environment only', async () => {
    const tenant = newTenant();
    await world.client.newCharge(tenant);
    const { id } = await world.client.newCharge({ ...tenant, environment: 'production' });

    expect((await listed({ ...tenant, environment: 'production' })).map((charge) => charge.id)).toEqual([id]);
  });
});

describe('pages of charges', () => {
  test('are complete and have each charge once', async () => {
    const instants = Array.from({ length: 23 }, (_, i) =>
      new Date(Date.UTC(2026, 10, 1, 0, 0, i)).toISOString(),
    );
    const { tenant, ids } = await shopWithChargesAt(...instants);

    const answers = await Promise.all(
      ['', '?page=2', '?limit=10&page=3', '?limit=100', '?page=3'].map((query) =>
        world.client.list(tenant, query),
      ),
    );

    const shown = answers.map(({ data }) => page.parse(data).map(({ id }) => ids.indexOf(id)));
    const newestFirst = ids.map((_, i) => i).reverse();
    expect(shown).toEqual([newestFirst.slice(0, 20), newestFirst.slice(20), [2, 1, 0], newestFirst, []]);
    expect(answers.map(({ meta }) => meta)).toEqual([
      { total: 23, page: 1, limit: 20, pages: 2, next: expect.any(String) },
      { total: 23, page: 2, limit: 20, pages: 2 },
      { total: 23, page: 3, limit: 10, pages: 3 },
      { total: 23, page: 1, limit: 100, pages: 1 },
      { total: 23, page: 3, limit: 20, pages: 2 },
    ]);
  });
});

describe('cursors of a list of charges', () => {
  test('lead to each charge once while others are created', async () => {
    const instants = Array.from({ length: 9 }, (_, i) => `2026-11-01T00:00:0${Math.floor(i / 3)}.000Z`);
    const { tenant, ids } = await shopWithChargesAt(...instants);

    const walked: string[] = [];
    let next: string | undefined;
    do {
      const { data, meta } = await world.client.list(tenant, `?limit=2${next ? `&after=${next}` : ''}`);
      walked.push(...page.parse(data).map(({ id }) => id));
      next = meta?.next;
      await world.client.newCharge(tenant);
    } while (next);

    expect(walked).toHaveLength(9);
    expect(new Set(walked)).toEqual(new Set(ids));
  });
});

describe('filters of a list of charges', () => {
  test('narrow the list and its total by status', async () => {
    const tenant = newTenant();
    const charges = await Promise.all(Array.from({ length: 4 }, () => world.client.newCharge(tenant)));
    const [paid, cancelled, ...pending] = charges.map(({ id }) => id);
    await world.client.simulate(tenant, paid ?? '');
    await world.client.cancel(tenant, cancelled ?? '');

    const by = async (status: string) =>
      (await listed(tenant, `?status=${status}`)).map(({ id }) => id).sort();

    expect(await Promise.all(['PAID', 'CANCELLED', 'PENDING'].map(by))).toEqual([
      [paid],
      [cancelled],
      pending.sort(),
    ]);
    expect(await Promise.all(['EXPIRED', 'REFUNDED', 'DISPUTED'].map(by))).toEqual([[], [], []]);
    expect((await world.client.list(tenant, '?status=PENDING')).meta).toMatchObject({ total: 2, pages: 1 });
  });

  test('narrow the list by payment method', async () => {
    const tenant = newTenant();
    await world.client.newCharge(tenant);

    const totals = await Promise.all(
      ['PIX', 'CARD', 'BOLETO'].map(
        async (method) => (await listed(tenant, `?paymentMethod=${method}`)).length,
      ),
    );

    expect(totals).toEqual([1, 0, 0]);
  });

  test.each([
    ['?startDate=2026-11-10', [1, 2, 3, 4]],
    ['?startDate=2026-11-11', [3, 4]],
    ['?endDate=2026-11-10', [0, 1, 2]],
    ['?endDate=2026-11-09', [0]],
    ['?startDate=2026-11-10&endDate=2026-11-10', [1, 2]],
    ['?startDate=2026-11-11&timeZone=America/Sao_Paulo', [4]],
    ['?endDate=2026-11-10&timeZone=America/Sao_Paulo', [0, 1, 2, 3]],
    ['?startDate=2026-11-10T23:59:59.999Z', [2, 3, 4]],
    ['?endDate=2026-11-10T23:59:59.999Z', [0, 1, 2]],
    ['?endDate=2026-11-10T23:59:59.998Z', [0, 1]],
    ['?startDate=2026-11-10T21:00:00-03:00', [3, 4]],
    ['?startDate=2026-11-11&status=PENDING&paymentMethod=PIX&limit=1', [4]],
  ])('take a whole UTC day or an exact instant: %s', async (query, expected) => {
    const { tenant, ids } = fiveDays;

    const shown = (await listed(tenant, query)).map(({ id }) => ids.indexOf(id));

    expect(shown.sort()).toEqual(expected);
  });

  test('use the account’s time zone by default', async () => {
    const { tenant, ids } = fiveDays;
    const account = { ...tenant, timeZone: 'America/Sao_Paulo' };
    const shown = async (query: string) => (await listed(account, query)).map(({ id }) => ids.indexOf(id));

    expect((await shown('?startDate=2026-11-11')).sort()).toEqual([4]);
    expect((await shown('?endDate=2026-11-10')).sort()).toEqual([0, 1, 2, 3]);
    expect((await shown('?endDate=2026-11-10&timeZone=UTC')).sort()).toEqual([0, 1, 2]);
    const { meta } = await world.client.list(account, '?startDate=2026-11-11');
    expect(meta).toMatchObject({ timeZone: 'America/Sao_Paulo' });
  });
});
