import { beforeAll, expect, test } from '@jest/globals';
import { flows, paymentMethods, walletTransactionTypes } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import { type Random, seeded } from '../support/random.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, type SeededRow, seedRows } from './rows.ts';

const ROWS = 2_500;
const QUERIES = rounds(200);
const START = Date.UTC(2026, 9, 28);
const SECONDS = 12 * 86_400;

const random = seeded();
const tenant = newTenant();
const world = worldOfFile(sharedSeededWorld);
let rows: SeededRow[];

beforeAll(async () => {
  rows = randomRows(random);
  // Insert rows of the merchant's other environment and of a different merchant between the tested rows.
  const neighbours = [newTenant(), { ...tenant, environment: 'production' } as const];
  for (let from = 0; from < ROWS; from += 500) {
    await seedRows(world.database, tenant, rows.slice(from, from + 500));
    for (const neighbour of neighbours)
      await seedRows(world.database, neighbour, randomRows(random).slice(0, 50));
  }
});

const words = ['Pix charge pedido', 'Fee of 10%', 'saco_de_pano', 'AÇÃO', 'ação', 'C:\\x', 'Refund', '%_\\'];

/** Returns random rows. Days have many rows or none, and some row types are rare. */
function randomRows({ below, oneOf }: Random): SeededRow[] {
  const seconds = Array.from({ length: ROWS }, () =>
    below(3) === 0 ? 5 * 86_400 + below(86_400) : below(SECONDS),
  ).sort((a, b) => a - b);
  const ids = Array.from({ length: 40 }, () => newId());
  let balanceAfter = 0;
  return seconds.map((second) => {
    const type = below(4) === 0 ? oneOf(walletTransactionTypes) : oneOf(['CREDIT', 'FEE'] as const);
    const amount = (below(2) === 0 ? 1 : -1) * (1 + below(below(10) === 0 ? 100_000 : 900));
    balanceAfter += amount;
    const isWithdrawal = type === 'WITHDRAWAL';
    return rowWith({
      type,
      amount,
      balanceAfter,
      description: `${oneOf(words)} ${below(50)}`,
      createdAt: new Date(START + second * 1_000).toISOString(),
      chargeId: isWithdrawal || below(5) === 0 ? null : oneOf(ids),
      withdrawalId: isWithdrawal ? oneOf(ids) : null,
      paymentMethod: isWithdrawal ? null : oneOf([...paymentMethods, 'PIX']),
    });
  });
}

type Query = Partial<Record<string, string>>;

function randomQuery({ below, oneOf }: Random): Query {
  const day = () => new Date(START + (below(14) - 1) * 86_400_000).toISOString().slice(0, 10);
  const [startDate = '', endDate = ''] = [day(), day()].sort();
  const [minAmount = 0, maxAmount = 0] = [below(1_000), below(2_000)].sort((a, b) => a - b);
  const { chargeId, withdrawalId } = oneOf(rows);
  const search = oneOf([...words, '1', 'PEDIDO 4', chargeId ?? withdrawalId ?? 'x', newId()]);
  const all = {
    type: oneOf(walletTransactionTypes),
    flow: oneOf(flows),
    paymentMethod: oneOf(paymentMethods),
    startDate,
    endDate,
    search,
    minAmount: String(minAmount),
    maxAmount: String(maxAmount),
    page: String(1 + below(below(3) === 0 ? 200 : 4)),
    limit: String(1 + below(100)),
  };
  return Object.fromEntries(Object.entries(all).filter(() => below(3) === 0));
}

/**
 * Returns true if a row matches the query. This simple implementation of the filters is compared with the
 * real one.
 */
function matches(row: SeededRow, query: Query): boolean {
  const day = row.createdAt.slice(0, 10);
  const search = query.search?.toLowerCase() ?? '';
  return (
    (!query.type || row.type === query.type) &&
    (!query.flow || (row.amount > 0 ? 'in' : 'out') === query.flow) &&
    (!query.paymentMethod || row.paymentMethod === query.paymentMethod) &&
    (!query.startDate || day >= query.startDate) &&
    (!query.endDate || day <= query.endDate) &&
    (row.description.toLowerCase().includes(search) || [row.chargeId, row.withdrawalId].includes(search)) &&
    Math.abs(row.amount) >= Number(query.minAmount ?? 0) &&
    Math.abs(row.amount) <= Number(query.maxAmount ?? Number.MAX_SAFE_INTEGER)
  );
}

test(`${QUERIES} random queries match a simple model (SEED=${random.seed})`, async () => {
  for (let round = 0; round < QUERIES; round += 1) {
    const query = randomQuery(random);
    const path = `/v1/transactions?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, value ?? '']))}`;

    const { status: _status, headers: _headers, ...answer } = await world.read(tenant, path);

    const expected = rows.filter((row) => matches(row, query)).toReversed();
    const [page, limit] = [Number(query.page ?? 1), Number(query.limit ?? 20)];
    const pages = Math.ceil(expected.length / limit);
    expect({ path, ...answer }).toEqual({
      path,
      success: true,
      data: expected.slice((page - 1) * limit, page * limit).map((row) => expect.objectContaining(row)),
      meta: {
        total: expected.length,
        page,
        limit,
        pages,
        ...((query.startDate ?? query.endDate) ? { timeZone: 'UTC' } : {}),
        ...(page < pages ? { next: expect.any(String) } : {}),
      },
    });
  }
});
