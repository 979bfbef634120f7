import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { addDays, dayOf, newId, type Tenant } from '@plataforma/kernel';
import { clockMoved, eventually } from '@plataforma/testing';
import type { Entry } from '../../src/domain/entry.ts';
import { summaryOf } from '../../src/domain/summary.ts';
import { soundWorld } from '../support/books.ts';
import {
  disputeOf,
  paid,
  paidByCard,
  refundOf,
  refused,
  unmatchedOf,
  withdrawalOf,
} from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { changeWallet, merchantIn } from '../support/wallet-calls.ts';
import { sharedWorld } from '../support/world.ts';

const world = soundWorld(sharedWorld);

const monthAfter = (day: string) => `${addDays(`${day.slice(0, 8)}28`, 7).slice(0, 8)}01`;
const thisMonth = `${dayOf(new Date(), 'America/Sao_Paulo').slice(0, 8)}01`;
const [month, nextMonth] = [monthAfter(thisMonth), monthAfter(monthAfter(thisMonth))];
const period = `startDate=${month}&endDate=${addDays(nextMonth, -1)}&timeZone=America/Sao_Paulo`;

/** The object to which the statement rows of an entry belong, for each kind of entry. Null means no rows. */
const subjects: Record<Entry['kind'], string | null> = {
  charge_paid: 'charge',
  receivable_due: null,
  refund: 'charge',
  refund_refused: 'charge',
  dispute_opened: 'charge',
  dispute_won: 'charge',
  dispute_lost: null,
  debt_collected: null,
  withdrawal_created: 'withdrawal',
  withdrawal_completed: null,
  withdrawal_returned: 'withdrawal',
  block: 'block',
  unblock: 'unblock',
  adjustment: 'adjustment',
  unexpected_payment_received: null,
  unexpected_payment_returned: null,
};

const SUBJECTS = `
  SELECT DISTINCT e.kind, CASE WHEN t.charge_id IS NOT NULL THEN 'charge'
    WHEN t.withdrawal_id IS NOT NULL THEN 'withdrawal' WHEN t.id IS NOT NULL THEN e.kind END AS subject
  FROM journal_entries e LEFT JOIN wallet_transactions t ON t.entry_id = e.id
  WHERE e.merchant_id = $1 OR e.reference = ANY ($2::uuid[])`;

/** Moves the sandbox's clock to noon of the tenth of a month. */
async function moveTo({ merchantId }: Tenant, first: string, version: number): Promise<void> {
  const at = Date.parse(`${first.slice(0, 8)}10T15:00:00Z`);
  await world.deliver(clockMoved(merchantId, { sandboxAheadMs: at - Date.now(), version }));
}

async function read(tenant: Tenant, query: string) {
  const { status, data, error } = await world.read(tenant, `/v1/statement/summary?${query}`);
  return { status, error, summary: api.summarizeStatement.data.optional().parse(data) };
}

/** Posts facts of each kind in the sandbox's current month. */
async function postMonth(tenant: Tenant): Promise<string[]> {
  const order = paid(tenant, { amount: 5_000, feeAmount: 50 });
  const contested = paid(tenant, { amount: 4_000, feeAmount: 40 });
  const due = paidByCard(tenant, { amount: 20_000, feeAmount: 800, settlesAt: `${month}T03:00:00.000Z` });
  const later = paidByCard(tenant, { amount: 3_000, feeAmount: 120 });
  const [won, unmatched] = [disputeOf(contested), unmatchedOf(tenant)];
  await world.deliver(order, contested, due, later, won.opened, won.resolved('RESOLVED_MERCHANT'));
  await world.deliver(unmatched.received, unmatched.returned);
  const refusal = refundOf(due, { amount: 2_000 });
  for (const refund of [refundOf(order, { amount: 1_000 }), refusal]) {
    expect((await world.refund(refund)).status).toBe(200);
  }
  const [done, failed] = [withdrawalOf(tenant), withdrawalOf(tenant, { netAmount: 2_000 })];
  for (const withdrawal of [done, failed]) {
    expect((await world.withdraw(withdrawal.order)).status).toBe(200);
  }
  await world.deliver(refused(refusal), done.completed, failed.failed);
  const changes = [
    ['blocks', 500],
    ['unblocks', 200],
    ['adjustments', 300],
    ['adjustments', -70],
  ] as const;
  for (const [route, amount] of changes) {
    const { status } = await changeWallet(world.first, route, { ...tenant, id: newId(), amount });
    expect(status).toBe(201);
  }
  await eventually(async () => expect(await world.entriesOf(due.data.id)).toHaveProperty('receivable_due'));
  // The fee takes the whole payment, so the lost dispute leaves a debt that the next payment pays.
  const unpaid = paid(tenant, { amount: 100_000, feeAmount: 100_000 });
  await world.deliver(unpaid, disputeOf(unpaid).resolved('RESOLVED_CUSTOMER'));
  await world.deliver(paid(tenant, { amount: 150_000, feeAmount: 500 }));
  return [unmatched.id];
}

describe('the summary of a month', () => {
  test('leads from opening to closing balance with every kind of entry', async () => {
    const tenant = newTenant();
    await world.deliver(paid(tenant, { amount: 10_000, feeAmount: 100 }));
    await moveTo(tenant, month, 1);
    const others = await postMonth(tenant);
    const running = await read(tenant, '');
    await moveTo(tenant, nextMonth, 2);
    await world.deliver(paid(tenant));

    const { summary } = await read(tenant, period);

    const posted = await world.database.query<{ kind: string; subject: string | null }>(SUBJECTS, [
      tenant.merchantId,
      others,
    ]);
    expect(Object.fromEntries(posted.map(({ kind, subject }) => [kind, subject]))).toEqual(subjects);
    const rows = summary?.movements.map(({ type, paymentMethod, count, amount }) => {
      return [type, paymentMethod, count, amount];
    });
    expect(rows).toEqual([
      ['PAYMENT', 'PIX', 4, 259_000],
      ['PAYMENT', 'CARD', 2, 23_000],
      ['FEE', 'PIX', 4, -100_590],
      ['FEE', 'CARD', 2, -920],
      ['REFUND', 'PIX', 1, -1_000],
      ['REFUND', 'CARD', 2, 0],
      ['DISPUTE', 'PIX', 4, -100_000],
      ['WITHDRAWAL', null, 3, -1_000],
      ['WITHDRAWAL_FEE', null, 3, -100],
      ['ADJUSTMENT', null, 2, 230],
      ['BLOCK', null, 2, -300],
    ]);
    expect(summary).toMatchObject({
      timeZone: 'America/Sao_Paulo',
      startsAt: `${month}T03:00:00.000Z`,
      endsAt: `${nextMonth}T03:00:00.000Z`,
      isOver: true,
      openingBalance: 9_900,
      netAmount: 79_490,
      closingBalance: 88_220,
    });
    expect(running.summary).toMatchObject({ ...summary, isOver: false, endsAt: expect.any(String) });
    const { meta } = await world.read(tenant, `/v1/statement?${period}`);
    expect(meta).toMatchObject({ openingBalance: 9_900, closingBalance: 88_220 });
    expect((await read(tenant, 'timeZone=America/Sao_Paulo')).summary).toMatchObject({
      startsAt: `${nextMonth}T03:00:00.000Z`,
      isOver: false,
      openingBalance: 88_220,
      closingBalance: 90_695,
    });
  });

  test('without rows repeats the opening balance', async () => {
    const { summary } = await read(newTenant(), 'startDate=2026-02-01&endDate=2026-02-28&timeZone=UTC');

    expect(summary).toEqual({
      ...{ timeZone: 'UTC', startsAt: '2026-02-01T00:00:00.000Z', endsAt: '2026-03-01T00:00:00.000Z' },
      ...{ isOver: true, openingBalance: 0, netAmount: 0, closingBalance: 0, movements: [] },
    });
  });

  test('covers 366 days and refuses one more', async () => {
    const tenant = newTenant();

    expect((await read(tenant, 'startDate=2025-01-01&endDate=2026-01-01')).status).toBe(200);
    expect(await read(tenant, 'startDate=2025-01-01&endDate=2026-01-02')).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  test('from a day that has not begun is empty', async () => {
    const { summary } = await read(await merchantIn(world), 'startDate=2999-01-01&timeZone=UTC');

    const start = '2999-01-01T00:00:00.000Z';
    expect(summary).toMatchObject({ startsAt: start, endsAt: start, isOver: false, movements: [] });
    expect(summary).toMatchObject({ openingBalance: 2_475, closingBalance: 2_475 });
  });
});

describe('a sum of rows', () => {
  const balances = { openingBalance: 0, closingBalance: 100 };
  const row = { subject: 'charge', type: 'CREDIT', paymentMethod: 'PIX', count: 1, amount: 100 } as const;

  test('that misses the closing balance is refused', () => {
    expect(() => summaryOf([{ ...row, amount: 99 }], balances)).toThrow('disagree');
  });

  test('with rows of an unknown type is refused', () => {
    expect(() => summaryOf([{ ...row, type: 'DEBIT' }], balances)).toThrow('no summary has a type');
  });
});
