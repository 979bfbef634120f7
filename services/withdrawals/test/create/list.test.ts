import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { error500, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);
let merchant: Tenant;
/** The ids of the merchant's withdrawals, the newest first. */
const ids: string[] = [];

beforeAll(async () => {
  merchant = world.newMerchant({}, 'production');
  for (let i = 0; i < 7; i += 1) ids.unshift((await world.client.newWithdrawal(merchant)).id);
  for (const id of ids.slice(2, 5)) await world.client.reject(id, newId());
});

const listed = (query = '', tenant = merchant) => world.client.listed(tenant, query);

describe('the list of withdrawals', () => {
  test('is newest first with the total', async () => {
    expect(await listed()).toEqual({ ids, meta: { total: 7, page: 1, limit: 20, pages: 1 } });
  });

  test('comes in pages', async () => {
    expect(await listed('?page=1&limit=3')).toEqual({
      ids: ids.slice(0, 3),
      meta: { total: 7, page: 1, limit: 3, pages: 3, next: expect.any(String) },
    });
    expect((await listed('?page=3&limit=3')).ids).toEqual(ids.slice(6));
    expect(await listed('?page=4&limit=3')).toEqual({
      ids: [],
      meta: { total: 7, page: 4, limit: 3, pages: 3 },
    });
  });

  test.each([
    ['PENDING', () => [...ids.slice(0, 2), ...ids.slice(5)]],
    ['REJECTED', () => ids.slice(2, 5)],
    ['APPROVED', () => []],
    ['PROCESSING', () => []],
    ['COMPLETED', () => []],
    ['FAILED', () => []],
  ])('filters by status %s', async (status, expected) => {
    expect((await listed(`?status=${status}`)).ids).toEqual(expected());
  });

  test('has a stable order for withdrawals of one instant', async () => {
    const hurried = world.newMerchant({}, 'production');
    for (let i = 0; i < 5; i += 1) await world.client.newWithdrawal(hurried);
    await world.database.query('UPDATE withdrawals SET created_at = now() WHERE merchant_id = $1', [
      hurried.merchantId,
    ]);

    const pages = [];
    for (const page of [1, 2, 3]) pages.push(...(await listed(`?page=${page}&limit=2`, hurried)).ids);

    expect(pages).toEqual(pages.toSorted().toReversed());
    expect(new Set(pages).size).toBe(5);
  });
});

test('abandoned, refused and unfinished withdrawals are neither listed nor read', async () => {
  const unlucky = world.newMerchant({}, 'production');
  world.ledger.nextFor(unlucky.merchantId, error500);
  await world.client.create(unlucky, newOrder());
  await eventually(async () => expect(await world.rowsOf(unlucky)).toMatchObject([{ status: 'ABANDONED' }]));
  world.ledger.setBalance(unlucky.merchantId, 0);
  await world.client.create(unlucky, newOrder());
  const { creating, release } = await world.createBlocked(unlucky);

  const all = await world.rowsOf(unlucky);
  const reads = await Promise.all(all.map(({ id }) => world.client.read(unlucky, id)));

  expect(all.map(({ status }) => status)).toEqual(['ABANDONED', 'REFUSED', 'DEBITING']);
  expect(await listed('', unlucky)).toEqual({ ids: [], meta: { total: 0, page: 1, limit: 20, pages: 0 } });
  for (const { status, error } of reads) {
    expect([status, error]).toEqual([
      404,
      { code: 'NOT_FOUND', message: 'there is no withdrawal with this id' },
    ]);
  }
  release();
  await creating;
});
