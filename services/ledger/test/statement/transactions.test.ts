import { describe, expect, test } from '@jest/globals';
import type { WalletTransactionView } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { disputeOf, paid, refundOf } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { merchantIn, saleIn } from '../support/wallet-calls.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';

const world = worldOfFile(sharedSeededWorld);

const page = (tenant: Tenant, query = '') => world.readRows(tenant, `/v1/transactions${query}`);
const listed = async (tenant: Tenant, query = '') => (await page(tenant, query)).rows;

describe('the transactions of a wallet', () => {
  test('of a new merchant are one empty page', async () => {
    const { rows, meta } = await page(newTenant());

    expect([rows, meta]).toEqual([[], { total: 0, page: 1, limit: 20, pages: 0 }]);
  });

  test('name movement, reason and resulting balance, newest first', async () => {
    const { tenant, charge } = await saleIn(world, paid, { externalId: 'pedido-9' });
    const order = refundOf(charge, { amount: 500 });
    await world.refund(order);

    const rows = await listed(tenant);

    const row = { id: expect.any(String), createdAt: expect.any(String) };
    const bankIds = { endToEndId: null, nsu: null, authorizationCode: null };
    const people = { payerName: null, payeeName: null };
    const names = { externalId: 'pedido-9', refundId: null, ...bankIds, ...people };
    const times = { occurredAt: charge.data.paidAt, settlesAt: charge.data.paidAt };
    const none = { withdrawalId: null, dispute: null, movement: null };
    const about = { chargeId: charge.data.id, paymentMethod: 'PIX', ...none };
    const ofCharge = { ...row, ...about, ...names, ...times };
    expect(rows).toEqual([
      {
        ...ofCharge,
        type: 'REFUND',
        refundId: order.id,
        amount: -500,
        description: 'Refund of Pix charge pedido-9',
        balanceAfter: 1_975,
        ...{ occurredAt: '2026-11-21T13:00:00.000Z', settlesAt: null },
      },
      {
        ...ofCharge,
        ...{ type: 'FEE', amount: -25, balanceAfter: 2_475 },
        description: 'Fee of Pix charge pedido-9',
      },
      {
        ...ofCharge,
        ...{ type: 'CREDIT', amount: 2_500, balanceAfter: 2_500 },
        description: 'Pix charge pedido-9',
      },
    ]);
  });

  test('of a withdrawal name it without charge or method', async () => {
    const tenant = newTenant();
    const withdrawalId = newId();
    await seedRows(world.database, tenant, [
      rowWith({ type: 'WITHDRAWAL', amount: -100, withdrawalId, paymentMethod: null }),
    ]);

    expect(await listed(tenant)).toMatchObject([{ withdrawalId, chargeId: null, paymentMethod: null }]);
  });

  test('belong to one merchant and environment', async () => {
    const tenant = newTenant('production');
    const charge = paid(tenant);
    await world.deliver(charge, paid(newTenant()));

    const others: Tenant[] = [
      { ...tenant, environment: 'sandbox' },
      { ...tenant, merchantId: newId() },
    ];

    expect(await listed(tenant)).toHaveLength(2);
    for (const other of others) {
      for (const path of ['/v1/transactions', `/v1/transactions?search=${charge.data.id}`, '/v1/statement']) {
        expect(await world.readRows(other, path)).toMatchObject({ rows: [], meta: { total: 0 } });
      }
    }
  });
});

async function walkedByCursor(tenant: Tenant, query: string): Promise<WalletTransactionView[]> {
  const walked: WalletTransactionView[] = [];
  let next: string | undefined;
  do {
    const path = `?limit=7${query}${next ? `&after=${next}` : ''}`;
    const { rows, meta } = await page(tenant, path);
    walked.push(...rows);
    next = meta?.next;
  } while (next);
  return walked;
}

describe('pages', () => {
  test('show each row once in the order of balances', async () => {
    const tenant = newTenant();
    const charges = Array.from({ length: 30 }, () => paid(tenant));
    await world.deliver(...charges);
    await world.deliver(disputeOf(charges[0] ?? paid(tenant)).opened);

    for (const query of ['', '&flow=in', '&flow=out', '&type=FEE', '&search=charge', '&minAmount=25']) {
      const all = await listed(tenant, `?limit=100${query}`);
      const walked: WalletTransactionView[] = [];
      for (let page = 1; page <= Math.ceil(all.length / 7) + 1; page += 1) {
        walked.push(...(await listed(tenant, `?limit=7&page=${page}${query}`)));
      }
      expect(walked).toEqual(all);
      expect(await walkedByCursor(tenant, query)).toEqual(all);
      expect(new Set(walked.map(({ id }) => id)).size).toBe(all.length);
    }

    const everything = (await listed(tenant, '?limit=100')).toReversed();
    expect(everything).toHaveLength(61);
    let balance = 0;
    for (const { amount, balanceAfter } of everything) {
      balance += amount;
      expect(balanceAfter).toBe(balance);
    }
  });

  test('beyond the last are empty with the right total', async () => {
    const tenant = await merchantIn(world);

    for (const query of ['page=2', 'page=1000000&limit=100', 'page=3&type=FEE', 'page=9&minAmount=1']) {
      expect(await page(tenant, `?${query}`)).toMatchObject({ rows: [] });
    }
    expect((await page(tenant, '?page=4&limit=2')).meta).toEqual({
      total: 2,
      page: 4,
      limit: 2,
      pages: 1,
    });
  });

  test('and totals are consistent during concurrent postings', async () => {
    const tenant = newTenant();
    let isAnnouncing = true;
    const announcing = (async () => {
      for (let round = 0; round < 10; round += 1) await world.deliver(paid(tenant), paid(tenant));
      isAnnouncing = false;
    })();

    while (isAnnouncing) {
      for (const query of ['?limit=100', '?limit=100&type=FEE']) {
        const { rows, meta } = await page(tenant, query);
        expect(meta).toMatchObject({ total: rows.length });
      }
    }
    await announcing;
    await eventually(async () => expect(await listed(tenant, '?limit=100')).toHaveLength(40));
  });
});
