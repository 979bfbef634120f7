import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { beforeFile } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { disputeOf, paid, paidByCard, withdrawalOf } from './support/emitter.ts';
import { newTenant, operatorHeader } from './support/identity.ts';
import { changeWallet, failure, merchantIn } from './support/wallet-calls.ts';
import { sharedWorld } from './support/world.ts';

const world = soundWorld(sharedWorld);

const merchant = () => merchantIn(world);

const block = (body: object) => changeWallet(world.first, 'blocks', body);
const unblock = (body: object) => changeWallet(world.first, 'unblocks', body);
const adjust = (body: object) => changeWallet(world.first, 'adjustments', body);

const auditOf = (merchantId: string) =>
  world.database.query(
    'SELECT action, before, after, reason FROM audit_log WHERE subject_id = $1 ORDER BY at, id',
    [merchantId],
  );

describe('blocked money', () => {
  test('is unavailable, and the audit log records operator and reason', async () => {
    const tenant = await merchant();
    const id = newId();

    const answer = await block({ ...tenant, id, amount: 2_000 });

    expect(answer).toEqual({
      status: 201,
      answer: {
        success: true,
        data: { id, ...tenant, amount: 2_000, reason: 'court order', createdAt: expect.any(String) },
      },
    });
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 475,
      blockedBalance: 2_000,
      withdrawableBalance: 475,
      totalEarned: 2_500,
    });
    expect(await world.entriesOf(id)).toEqual({
      block: { 'available:PIX': -2_000, 'blocked:PIX': 2_000 },
    });
    expect(await auditOf(tenant.merchantId)).toEqual([
      {
        action: 'wallet.block',
        before: { availableBalance: 2_475, withdrawableBalance: 2_475, blockedBalance: 0 },
        after: {
          id,
          environment: 'sandbox',
          amount: 2_000,
          availableBalance: 475,
          withdrawableBalance: 475,
          blockedBalance: 2_000,
        },
        reason: 'court order',
      },
    ]);
    const rows = await world.database.query(
      `SELECT t.type, t.amount_cents, t.description, t.payment_method FROM wallet_transactions t
       JOIN journal_entries e ON e.id = t.entry_id WHERE e.reference = $1`,
      [id],
    );
    expect(rows).toEqual([
      { type: 'DEBIT', amount_cents: -2_000, description: 'Blocked by the platform', payment_method: null },
    ]);
  });

  test('keeps its payment method and is unblocked Pix first', async () => {
    const tenant = await merchant();
    await world.deliver(paidByCard(tenant, { settlesAt: null }));
    const before = await world.balanceOf(tenant);

    await block({ ...tenant, amount: 4_000 });
    const first = await unblock({ ...tenant, amount: 2_500 });

    expect(first.status).toBe(201);
    expect(await world.balanceOf(tenant)).toMatchObject({
      breakdown: { PIX: { availableBalance: 2_475 }, CARD: { availableBalance: 975 } },
    });
    await unblock({ ...tenant, amount: 1_500 });
    expect(await world.balanceOf(tenant)).toEqual(before);
  });

  test('is limited to withdrawable money, an unblock to blocked money', async () => {
    const tenant = await merchant();
    const disputed = paid(tenant, { feeAmount: 2_500 });
    await world.deliver(disputed);
    await world.withdraw(withdrawalOf(tenant, { netAmount: 475, fee: 0 }).order);
    await block({ ...tenant, amount: 2_000 });
    await world.deliver(disputeOf(disputed, 500).opened, paid(tenant));

    const answers = [
      await block({ ...tenant, amount: 1_976 }),
      await block({ ...tenant, amount: 1_975 }),
      await unblock({ ...tenant, amount: 3_976 }),
      await unblock({ ...tenant, amount: 3_975 }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 201, 422, 201]);
    expect(answers[0]).toEqual(failure(422, 'INSUFFICIENT_BALANCE'));
    expect(await auditOf(tenant.merchantId)).toHaveLength(3);
  });

  test('pays the debt of a lost dispute when unblocked', async () => {
    const tenant = await merchant();
    await block({ ...tenant, amount: 2_475 });
    const disputed = paid(tenant, { feeAmount: 2_500 });
    await world.deliver(disputed, disputeOf(disputed, 1_000).resolved('RESOLVED_CUSTOMER'));

    await unblock({ ...tenant, amount: 1_500 });

    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 500, disputeDebt: 0 });
  });
});

describe('an adjustment', () => {
  test('credits and debits a merchant with a visible description', async () => {
    const tenant = newTenant();
    const id = newId();

    const given = await adjust({ ...tenant, id, amount: 700, description: 'Bem-vindo' });
    const taken = await adjust({ ...tenant, amount: -200 });

    expect([given.status, taken.status]).toEqual([201, 201]);
    expect(given.answer).toMatchObject({ data: { id, amount: 700, description: 'Bem-vindo' } });
    expect(await world.entriesOf(id)).toEqual({ adjustment: { 'available:PIX': 700, adjustments: -700 } });
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 500, totalEarned: 0 });
    const rows = await world.database.query(
      'SELECT type, amount_cents, description FROM wallet_transactions WHERE merchant_id = $1 ORDER BY created_at, id',
      [tenant.merchantId],
    );
    expect(rows).toEqual([
      { type: 'CREDIT', amount_cents: 700, description: 'Bem-vindo' },
      { type: 'DEBIT', amount_cents: -200, description: 'a kindness' },
    ]);
  });

  test('brings no wallet below zero', async () => {
    const tenant = await merchant();

    expect(await adjust({ ...tenant, amount: -2_476 })).toEqual(failure(422, 'INSUFFICIENT_BALANCE'));
    expect((await adjust({ ...tenant, amount: -2_475 })).status).toBe(201);
  });

  test('pays the debt of a lost dispute', async () => {
    const tenant = newTenant();
    const disputed = paid(tenant, { feeAmount: 2_500 });
    await world.deliver(disputed, disputeOf(disputed, 1_000).resolved('RESOLVED_CUSTOMER'));

    await adjust({ ...tenant, amount: 1_200 });

    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 200, disputeDebt: 0 });
  });
});

const other = beforeFile(() => world.startReplica());

const why = { reason: 'court order', description: 'a kindness' };

/** Returns a function that sends an operator's change. Each call repeats the same idempotency key. */
function repeatable(route: string, body: object, key: string = newId()) {
  return async ({ url }: { url: string } = world.first) => {
    const answer = await fetch(`${url}/v1/admin/ledger/${route}`, {
      method: 'POST',
      headers: { ...operatorHeader(), 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ ...why, ...body }),
    });
    const isReplay = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, isReplay, text: await answer.text() };
  };
}

describe('a wallet change with an idempotency key', () => {
  test.each([
    ['blocks', 100, { blockedBalance: 400 }],
    ['unblocks', 100, { blockedBalance: 200 }],
    ['adjustments', -100, { availableBalance: 2_075 }],
  ])('by %s is done once and gets the same response', async (route, amount, balance) => {
    const tenant = await merchantIn(world);
    await repeatable('blocks', { ...tenant, amount: 300 })();
    const ask = repeatable(route, { ...tenant, amount });
    const first = await ask();

    const again = await ask(other);

    expect([first.status, first.isReplay]).toEqual([201, false]);
    expect(again).toEqual({ ...first, isReplay: true });
    expect(await world.balanceOf(tenant)).toMatchObject(balance);
    expect(await auditOf(tenant.merchantId)).toHaveLength(2);
  });

  test('refused for its balance succeeds later with enough balance', async () => {
    const tenant = await merchantIn(world);
    const ask = repeatable('blocks', { ...tenant, amount: 3_000 });
    const short = await ask();
    await repeatable('adjustments', { ...tenant, amount: 1_000 })();

    const answer = await ask();

    expect([short.status, answer.status, answer.isReplay]).toEqual([422, 201, false]);
  });

  test('and an id repeats its response under another key', async () => {
    const tenant = await merchantIn(world);
    const body = { ...tenant, id: newId(), amount: 100 };
    const first = await repeatable('blocks', body)();

    const ask = repeatable('blocks', body);
    const answers = [await ask(), await ask(other)];

    expect(answers).toEqual([first, { ...first, isReplay: true }]);
    expect(await world.balanceOf(tenant)).toMatchObject({ blockedBalance: 100 });
  });
});
