import { expect } from '@jest/globals';
import { z } from 'zod';
import { type Bank, eventually, type Platform, rowsAt, type Truth } from '../../src/index.ts';
import type { Client } from './client.ts';

/** The account at the sandbox provider that the platform's sandbox environment uses. */
const ACCOUNT = 'sandbox';

/**
 * Expects that the trial balance of each environment is zero, and that the balance of each wallet is the sum
 * of its ledger entries.
 */
export async function expectProvenBooks(operator: Client): Promise<void> {
  for (const environment of ['sandbox', 'production']) {
    const balance = await operator.get(`/v1/admin/ledger/trial-balance?environment=${environment}`);
    expect(balance.data).toMatchObject({ total: 0 });
  }
  const verified = await operator.get('/v1/admin/ledger/verify');
  expect(verified.data).toMatchObject({ differences: [] });
}

interface OperatorRecords {
  charges: Record<string, unknown>[];
  unmatched: Record<string, unknown>[];
  disputes: Record<string, unknown>[];
  withdrawals: Record<string, unknown>[];
}

/**
 * Waits until all work has ended. Then the sandbox provider, the lists for operators and the ledger must
 * agree to the cent.
 */
export async function expectAgreement(platform: Platform, bank: Bank, operator: Client): Promise<void> {
  await eventually(
    async () => {
      const records = await readAll(operator);
      const truth = await bank.truth();
      expectPayments(truth, records);
      expectReturns(truth, records);
      expectCards(truth, records);
      expectPayouts(truth, records);
      await expectBooks(platform.databaseUrls.ledger, truth, records);
    },
    { timeoutMs: 90_000, intervalMs: 500 },
  );
}

async function readAll(operator: Client): Promise<OperatorRecords> {
  const of = (path: string) => everyPage(operator, `/v1/admin/${path}?environment=sandbox`);
  return {
    charges: await of('charges'),
    unmatched: await of('unexpected-payments'),
    disputes: await of('disputes'),
    withdrawals: await of('withdrawals'),
  };
}

async function everyPage(operator: Client, path: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (let page = 1; ; page += 1) {
    const { list } = await operator.get(`${path}&limit=100&page=${page}`);
    all.push(...list);
    if (list.length < 100) return all;
  }
}

const REFUSED_AMOUNT = 6_666;
const wasPaid = ({ status }: Record<string, unknown>) =>
  status === 'PAID' || status === 'REFUNDED' || status === 'DISPUTED';
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const pixOf = ({ charges }: OperatorRecords) =>
  charges.filter((it) => it.paymentMethod === 'PIX' && wasPaid(it));
const cardsOf = ({ charges }: OperatorRecords) => charges.filter((it) => it.paymentMethod === 'CARD');

/** Expects that each payment either paid exactly one charge or is recorded as an unmatched payment. */
function expectPayments(truth: Truth, records: OperatorRecords): void {
  const received = truth.payments.filter(({ clientId }) => clientId === ACCOUNT);
  const recorded = [...pixOf(records), ...records.unmatched];
  const summaryOf = (id: unknown, amount: unknown) => `${id} ${amount}`;
  expect(recorded.map(({ endToEndId, amount }) => summaryOf(endToEndId, amount)).sort()).toEqual(
    received.map(({ endToEndId, valor }) => summaryOf(endToEndId, valor)).sort(),
  );
}

/**
 * Returns true if the provider executed the return of a payment. The provider refuses returns of one magic
 * amount.
 */
const wasSentBack = ({ status, amount }: Record<string, unknown>) =>
  !(status === 'RETURN_REFUSED' && amount === REFUSED_AMOUNT);

/**
 * Expects that the provider executed each refund and return once. Refunds after a lost dispute are left out,
 * because the provider starts them itself.
 */
function expectReturns(truth: Truth, records: OperatorRecords): void {
  const sent = truth.refunds.filter(({ clientId, status }) => clientId === ACCOUNT && status === 'DEVOLVIDO');
  const ordered = [
    ...pixOf(records)
      .filter(({ refundedAmount, refundReason }) => refundedAmount && refundReason !== 'dispute')
      .map(({ endToEndId, refundedAmount }) => `${endToEndId} ${refundedAmount}`),
    ...records.unmatched.filter(wasSentBack).map(({ endToEndId, amount }) => `${endToEndId} ${amount}`),
  ];
  expect(sent.map(({ endToEndId, valor }) => `${endToEndId} ${valor}`).sort()).toEqual(ordered.sort());
}

/**
 * Expects that each card payment belongs to a paid charge. A card payment without a charge must be refunded
 * in full.
 */
function expectCards(truth: Truth, records: OperatorRecords): void {
  const charged = truth.cardCharges.filter(({ clientId }) => clientId === ACCOUNT);
  const effective = charged.filter(({ status, amount, canceledAmount }) => {
    return status !== 'failed' && !(status === 'canceled' && amount === canceledAmount);
  });
  const byId = new Map(cardsOf(records).map((charge) => [charge.id, charge]));
  for (const { code, amount, canceledAmount, status } of effective) {
    const refunded = byId.get(code)?.refundReason === 'dispute' ? 0 : (byId.get(code)?.refundedAmount ?? 0);
    expect([code, status, amount, canceledAmount]).toEqual([
      byId.get(code)?.id,
      status === 'chargedback' ? 'chargedback' : 'paid',
      byId.get(code)?.amount,
      refunded,
    ]);
  }
  const codes = new Set(charged.filter(({ status }) => status !== 'failed').map(({ code }) => code));
  expect([...byId.keys()].filter((id) => !codes.has(String(id)))).toEqual([]);
}

/** Expects that the provider paid each completed withdrawal exactly once, and made no other payout. */
function expectPayouts(truth: Truth, { withdrawals }: OperatorRecords): void {
  const ended = ['COMPLETED', 'FAILED', 'REJECTED'];
  expect(withdrawals.filter(({ status }) => !ended.includes(String(status)))).toEqual([]);
  const paid = truth.payouts.filter(
    ({ clientId, status }) => clientId === ACCOUNT && status !== 'NAO_REALIZADO',
  );
  const completed = withdrawals.filter(({ status, method }) => status === 'COMPLETED' && method === 'PIX');
  expect(paid.map((payout) => `${payout.idEnvio} ${payout.valor} ${payout.favorecido.chave}`).sort()).toEqual(
    completed
      .map(({ id, netAmount, pixKey }) => `${String(id).replaceAll('-', '')} ${netAmount} ${pixKey}`)
      .sort(),
  );
}

/**
 * Expects that the ledger's balance at the providers equals the amount that the sandbox provider has received
 * minus the amount that it has sent.
 */
async function expectBooks(databaseUrl: string, truth: Truth, records: OperatorRecords): Promise<void> {
  const ofAccount = <T extends { clientId: string }>(all: T[]) =>
    all.filter(({ clientId }) => clientId === ACCOUNT);
  const returned = ofAccount(truth.refunds).filter(({ status }) => status === 'DEVOLVIDO');
  const cards = ofAccount(truth.cardCharges).filter(({ status }) => status !== 'failed');
  const lost = (method: string) => {
    const ids = new Set(records.charges.filter((it) => it.paymentMethod === method).map(({ id }) => id));
    const ended = records.disputes.filter((it) => it.status === 'RESOLVED_CUSTOMER' && ids.has(it.chargeId));
    return sum(ended.map(({ amount }) => Number(amount)));
  };
  const pix =
    sum(ofAccount(truth.payments).map(({ valor }) => valor)) - sum(returned.map(({ valor }) => valor));
  const card = sum(cards.map(({ amount, canceledAmount }) => amount - canceledAmount));

  const paidOut = sum(
    records.withdrawals
      .filter(({ status }) => status === 'COMPLETED')
      .map(({ netAmount }) => Number(netAmount)),
  );

  const books = await clearing(databaseUrl);
  expect(books).toEqual({ PIX: pix - lost('PIX') - paidOut, CARD: card - lost('CARD') });
}

async function clearing(databaseUrl: string): Promise<Record<string, number>> {
  const rows = await rowsAt<{ method: string; total: string }>(
    databaseUrl,
    `SELECT split_part(account, ':', 2) AS method, -sum(amount_cents) AS total
     FROM journal_lines JOIN journal_entries ON journal_entries.id = entry_id
     WHERE account LIKE 'clearing:%' AND environment = 'sandbox' GROUP BY 1`,
  );
  return { PIX: 0, CARD: 0, ...Object.fromEntries(rows.map((row) => [row.method, Number(row.total)])) };
}

/**
 * Returns the differences that the platform's reconciliation with the provider finds for yesterday and today.
 */
export async function differencesToday(operator: Client): Promise<Record<string, unknown>[]> {
  const days = [Date.now() - 86_400_000, Date.now()].map((at) => new Date(at).toISOString().slice(0, 10));
  const read = await Promise.all(days.map((day) => reconciliationOf(operator, day)));
  expect(sum(read.map(({ payments }) => payments))).toBeGreaterThan(0);
  return read.flatMap(({ differences }) => differences);
}

const reconciliation = z.object({
  payments: z.int(),
  differences: z.array(z.record(z.string(), z.unknown())),
});

/** Repeats the request, because the platform answers 503 if the provider is slow to list its payments. */
function reconciliationOf(operator: Client, day: string): Promise<z.infer<typeof reconciliation>> {
  return eventually(async () => {
    const path = `/v1/admin/charges/reconciliation?date=${day}&environment=sandbox`;
    const { status, body } = await operator.get(path);
    const read = reconciliation.safeParse(body.data);
    if (!read.success) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return read.data;
  });
}
