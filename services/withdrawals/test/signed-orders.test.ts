import { beforeAll, describe, expect, test } from '@jest/globals';
import { ORDER_HEADER, ORDERED_BODY_HEADER } from '@plataforma/http';
import { newId, type Tenant } from '@plataforma/kernel';
import { doneThenSilence, eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, runSealRows } from '@plataforma/testing/world';
import { approvalOf, approveInRowOf, type Changes } from './operators/support/approvals-in-rows.ts';
import { pending, pendingTed } from './operators/support/states.ts';
import { agreeingWorld, type Followed, followed } from './payout/support/payouts.ts';
import { type Client, decisionOf, newOrder } from './support/client.ts';
import { newTenant, orderHeader } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = agreeingWorld(startWorld);
const scraper = beforeFile(openMetricsScraper);
let accepting: Client;

beforeAll(async () => {
  const settings = { ORDER_SIGNATURES: 'accept', METRICS_PORT: String(scraper.port) };
  accepting = (await world.startReplica({ scheduleEveryMs: 3_600_000 }, settings)).client;
});

const counted = async (verdict: string) =>
  (await scraper.scrape()).valueOf('plataforma_orders_unproven_total', { verdict }) ?? 0;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const refused = { status: 403, error: { code: 'FORBIDDEN' } };

type Headers = Record<string, string>;
const createWith = (tenant: Tenant, body: unknown, headers: Headers, client = world.client) =>
  client.call(tenant, '/v1/withdrawals', { method: 'POST', body, headers });
const stored = async ({ id }: { id: string }) => (await world.rowOf(id)) ?? {};

describe('a withdrawal', () => {
  const forged = (tenant: Tenant, body: unknown) => {
    const token = orderHeader({ tenant, body })[ORDER_HEADER] ?? '';
    return { [ORDER_HEADER]: `${token.slice(0, -9)}${token.at(-9) === 'A' ? 'B' : 'A'}${token.slice(-8)}` };
  };
  const signed = (changes: Changes) => (tenant: Tenant, body: unknown) =>
    orderHeader({ tenant, body, ...changes });

  test.each<[string, string, (tenant: Tenant, body: unknown) => Headers]>([
    ['without a signed order', 'missing', () => ({ [ORDER_HEADER]: '' })],
    ['with a forged order', 'forged', forged],
    [
      'of an order that withdrawals signed',
      'forged',
      (tenant, body) => orderHeader({ tenant, body }, 'withdrawals'),
    ],
    ['of another merchant’s order', 'foreign', signed({ tenant: newTenant() })],
    [
      'of an order in the other environment',
      'foreign',
      (tenant, body) => orderHeader({ tenant: { ...tenant, environment: 'production' }, body }),
    ],
    ['of the order of a cancellation', 'foreign', signed({ path: `/v1/withdrawals/${newId()}` })],
    ['with another body than ordered', 'changed', signed({ body: newOrder() })],
    ['of an order from six minutes ago', 'old', signed({ at: minutesAgo(6) })],
    ['of an order in six minutes', 'old', signed({ at: minutesAgo(-6) })],
  ])('%s is refused, and counted as %s', async (_what, verdict, headers) => {
    const tenant = world.newMerchant();
    const body = newOrder();
    const before = await counted(verdict);

    expect(await createWith(tenant, body, headers(tenant, body))).toMatchObject(refused);

    expect([await world.rowsOf(tenant), world.takenOf(tenant)]).toEqual([[], []]);
    expect(await counted(verdict)).toBe(before + 1);
  });

  test('keeps its order, has its id, and proves it to the ledger', async () => {
    const tenant = world.newMerchant();
    const body = JSON.stringify(newOrder(), null, 2);
    const id = newId();
    const order = orderHeader({ id, tenant, body });

    expect(await createWith(tenant, body, order)).toMatchObject({ status: 201, data: { id } });

    expect(await stored({ id })).toMatchObject({ order_token: order[ORDER_HEADER], order_body: body });
    const at = world.ledger.debitRequests.findIndex((debit) => debit.id === id);
    const { [ORDERED_BODY_HEADER]: ordered, ...headers } = world.ledger.debitHeaders[at] ?? {};
    expect(headers).toMatchObject(order);
    expect(Buffer.from(String(ordered), 'base64url').toString()).toBe(body);
  });

  test('of an order that was used before is refused, also at the same time', async () => {
    const tenant = world.newMerchant();
    const body = newOrder();
    const order = orderHeader({ tenant, body });
    const before = await counted('reused');

    const answers = await Promise.all([1, 2, 3].map(() => createWith(tenant, body, order)));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    expect(world.takenOf(tenant)).toHaveLength(1);
    expect(await counted('reused')).toBe(before + 2);
  });

  test('that another process resumes has one order and one debit', async () => {
    const tenant = world.newMerchant();
    const body = newOrder({ externalId: 'folha-1' });
    const impatient = (await world.startReplica({ ledgerTimeoutMs: 300 })).client;
    world.ledger.nextFor(tenant.merchantId, doneThenSilence);

    expect(await impatient.create(tenant, body)).toMatchObject({ status: 503 });
    await eventually(async () =>
      expect(await world.client.create(tenant, body)).toMatchObject({ status: 200 }),
    );

    const [id] = world.takenOf(tenant);
    const tokens = world.ledger.debitHeaders
      .filter((_, at) => world.ledger.debitRequests[at]?.id === id)
      .map(({ [ORDER_HEADER]: token }) => token);
    expect(tokens.length).toBeGreaterThan(1);
    expect([new Set(tokens).size, world.takenOf(tenant)]).toEqual([1, [id]]);
  });

  test('whose order the ledger refuses is abandoned', async () => {
    const tenant = world.newMerchant();
    const no = { success: false, error: { code: 'FORBIDDEN', message: 'no' } };
    const refusing = () => ({ status: 403, body: no });
    world.ledger.nextFor(tenant.merchantId, refusing, refusing);

    expect((await world.client.create(tenant, newOrder(), 'folha-1')).status).toBe(500);
    const [row] = await world.rowsOf(tenant);
    await world.database.query(FREE, [row?.id]);

    await eventually(async () => expect(await world.rowsOf(tenant)).toMatchObject([{ status: 'ABANDONED' }]));
    expect(world.takenOf(tenant)).toEqual([]);
  });

  test('without a signed order is created while ORDER_SIGNATURES is accept', async () => {
    const tenant = world.newMerchant();
    const before = await counted('accepted');

    expect(await createWith(tenant, newOrder(), { [ORDER_HEADER]: '' }, accepting)).toMatchObject({
      status: 201,
    });
    expect(await createWith(tenant, newOrder(), forged(tenant, {}), accepting)).toMatchObject(refused);

    expect(await counted('accepted')).toBe(before + 1);
  });
});

const FREE = `
  UPDATE withdrawals SET next_check_at = now(), lease_token = NULL, lease_until = NULL WHERE id = $1`;
const approveInRow = approveInRowOf(world);

describe('an approval', () => {
  test.each<[string, string, Changes]>([
    ['of another operator', 'foreign', { actor: `operator:${newId()}` }],
    ['of another withdrawal', 'foreign', { path: `/v1/admin/withdrawals/${newId()}/approve` }],
    ['with another body', 'changed', { body: {} }],
    ['from six minutes ago', 'old', { at: minutesAgo(6) }],
  ])('that is the one %s is refused', async (_what, verdict, changes) => {
    const withdrawal = await pending(world);
    const operatorId = newId();
    const before = await counted(verdict);
    const path = `/v1/admin/withdrawals/${withdrawal.id}/approve`;
    const headers = { [ORDER_HEADER]: approvalOf(withdrawal, operatorId, changes) };

    expect(await world.client.send(path, decisionOf(path, { operatorId, headers }))).toMatchObject(refused);

    expect(await withdrawal.now()).toMatchObject({ status: 'PENDING' });
    expect(await counted(verdict)).toBe(before + 1);
  });

  test.each<[string, string, (withdrawal: Followed, by: string) => string | null]>([
    ['without a token', 'missing', () => null],
    ['that withdrawals signed', 'forged', (withdrawal, by) => signedByService(withdrawal, by)],
    ['of another operator', 'foreign', (withdrawal) => approvalOf(withdrawal, newId())],
    ['of another withdrawal', 'foreign', (_, by) => approvalOf({ id: newId() } as Followed, by)],
  ])('in a good row %s pays nothing', async (_what, verdict, tokenOf) => {
    const withdrawal = await pending(world);
    const by = newId();
    const before = await counted(verdict);

    await approveInRow(withdrawal, [[by, tokenOf(withdrawal, by)]]);

    await eventually(async () => expect(await counted(verdict)).toBeGreaterThan(before));
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);
    await approveInRow(withdrawal, [[by, approvalOf(withdrawal, by)]]);
    await withdrawal.becomes('COMPLETED');
  });

  test('of one operator does not pay an amount that needs two', async () => {
    const withdrawal = await pending(world, { amount: 5_000_001 });
    const [one, other] = [newId(), newId()];
    const before = await counted('missing');
    await world.database.query('UPDATE withdrawals SET approvals_needed = 1 WHERE id = $1', [withdrawal.id]);

    await approveInRow(withdrawal, [[one, approvalOf(withdrawal, one)]]);

    await eventually(async () => expect(await counted('missing')).toBeGreaterThan(before));
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toEqual([]);
    const both = [one, other].map((by): [string, string] => [by, approvalOf(withdrawal, by)]);
    await approveInRow(withdrawal, both);
    await withdrawal.becomes('COMPLETED');
  });

  test('in a good row without a token starts no TED', async () => {
    const withdrawal = await pendingTed(world, world.newMerchant({}, 'production'));
    const by = newId();
    const before = await counted('missing');

    await approveInRow(withdrawal, [[by, null]]);

    await eventually(async () => expect(await counted('missing')).toBeGreaterThan(before));
    expect(await withdrawal.now()).toMatchObject({ status: 'APPROVED' });
    await approveInRow(withdrawal, [[by, approvalOf(withdrawal, by)]]);
    await withdrawal.becomes('PROCESSING');
  });

  test('of an earlier release is paid after the command that seals rows', async () => {
    const tenant = world.newMerchant({}, 'production');
    const created = await createWith(tenant, newOrder(), { [ORDER_HEADER]: '' }, accepting);
    const withdrawal = followed(world, tenant, created.data as Followed);
    const before = await counted('missing');
    await approveInRow(withdrawal, [[newId(), null]]);
    await eventually(async () => expect(await counted('missing')).toBeGreaterThan(before));

    expect(await runSealRows('withdrawals', world.env)).toMatchObject({ approvals: 1 });

    await withdrawal.becomes('COMPLETED');
    expect(await runSealRows('withdrawals', world.env)).toMatchObject({ approvals: 0 });
  });
});

const signedByService = ({ id }: Followed, operatorId: string) => {
  const path = `/v1/admin/withdrawals/${id}/approve`;
  return orderHeader({ path, actor: `operator:${operatorId}` }, 'withdrawals')[ORDER_HEADER] ?? '';
};
