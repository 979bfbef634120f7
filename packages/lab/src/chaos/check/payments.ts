import type { Truth } from '@plataforma/testing';
import { aheadOf } from './ahead.ts';
import { brokenRules, type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

type Payment = Truth['payments'][number];

type Recorded = {
  number: string;
  environment: string;
  amount: number;
  paid_at: Date;
  /** The id of the charge that the payment names, or null if the payment names none. */
  charge: string | null;
  txid: string | null;
  charge_amount: number | null;
  /** The reason why the payment is unmatched, or null if the payment has paid its charge. */
  cause: 'LATE' | 'DUPLICATE' | 'WRONG_AMOUNT' | 'UNKNOWN_CHARGE' | null;
  is_paid_by_another: boolean;
  /** A payment from this time on is late. Null means that no payment of the charge can be late. */
  ended_at: Date | null;
};

/**
 * Selects the recorded payments. Every payment of a cancelled charge is late, because the bank knew of the
 * cancellation. A payment of an expired charge is late after the expiry.
 */
const RECORDED = `
  SELECT p.end_to_end_id AS number, p.environment, p.amount_cents AS amount, p.paid_at, c.id AS charge,
  c.txid,
    c.amount_cents AS charge_amount, NULL AS cause, false AS is_paid_by_another, NULL::timestamptz AS ended_at
  FROM payments p JOIN charges c ON c.id = p.charge_id
  UNION ALL
  SELECT u.end_to_end_id, u.environment, u.amount_cents, u.paid_at, c.id, coalesce(c.txid, u.txid),
  c.amount_cents, u.cause,
    coalesce(c.end_to_end_id <> u.end_to_end_id, false),
    CASE c.status WHEN 'CANCELLED' THEN to_timestamp(0) WHEN 'EXPIRED' THEN c.expires_at - ${aheadOf('c')} END
  FROM unexpected_payments u LEFT JOIN charges c ON c.id = u.charge_id`;

/**
 * The check assumes that the bank records a payment within this time. If an earlier payment in the bank's
 * list has an even later time, that later time counts.
 */
const WRITING_MS = 10_000;

const TXIDS = "SELECT txid FROM charges WHERE payment_method = 'PIX'";

const rules = {
  'a Pix charge that is paid by nothing': `
    SELECT concat('charge ', id) AS what FROM charges c
    WHERE payment_method = 'PIX' AND paid_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM payments p WHERE p.charge_id = c.id)`,
  'a payment that its charge does not tell of': `
    SELECT concat('payment ', p.end_to_end_id, ' of charge ', p.charge_id) AS what
    FROM payments p LEFT JOIN charges c ON c.id = p.charge_id
    WHERE ROW (p.end_to_end_id, p.amount_cents, p.paid_at, p.environment, p.merchant_id) IS DISTINCT FROM
      ROW (c.end_to_end_id, c.amount_cents, c.paid_at, c.environment, c.merchant_id)`,
};

/**
 * Invariant 2, at the bank. Checks that every payment at the bank has paid its charge with the exact amount,
 * or is recorded as unmatched for a true reason. It also checks that every paid charge has such a payment.
 */
export async function checkPayments({ databases, truth }: Evidence): Promise<Finding[]> {
  const recorded = await rowsOf<Recorded>(databases.charges, RECORDED);
  const charges = await rowsOf<{ txid: string }>(databases.charges, TXIDS);
  return [
    ...(await brokenRules(databases.charges, 2, rules)),
    ...compare(truth.payments, recorded, new Set(charges.map(({ txid }) => txid))),
  ];
}

function compare(
  payments: readonly Payment[],
  recorded: readonly Recorded[],
  txids: ReadonlySet<string>,
): Finding[] {
  const byNumber = Map.groupBy(recorded, ({ number }) => number);
  const endToEndIds = new Set(payments.map(({ endToEndId }) => endToEndId));
  const latest = latestBefore(payments);
  const invented = recorded.filter(({ number }) => !endToEndIds.has(number));
  return [
    ...invented.map(({ number }) =>
      violation(2, `payment ${number} is recorded, and the bank knows nothing of it`),
    ),
    ...payments.flatMap((payment, index) => {
      const [row, ...others] = byNumber.get(payment.endToEndId) ?? [];
      const what = `payment ${payment.endToEndId} of ${payment.valor}`;
      if (!row) return [lost(2, `${what} is not recorded`)];
      if (others.length > 0) return [doubled(2, `${what} is recorded ${others.length + 1} times`)];
      const wrong = wrongWith(payment, row, {
        isForCharge: payment.txid !== undefined && txids.has(payment.txid),
        writtenAt: Math.max(payment.horario.getTime() + WRITING_MS, latest[index] ?? 0),
      });
      return wrong ? [violation(2, `${what} in ${payment.clientId} ${wrong}: ${JSON.stringify(row)}`)] : [];
    }),
  ];
}

/**
 * Returns, for each payment, the latest `horario` of the payments before it in the bank's list. The list is
 * in the order of recording, so the bank recorded the payment at that time or later.
 */
function latestBefore(payments: readonly Payment[]): number[] {
  let latest = 0;
  return payments.map(({ horario }) => {
    const before = latest;
    latest = Math.max(latest, horario.getTime());
    return before;
  });
}

interface AtBank {
  isForCharge: boolean;
  writtenAt: number;
}

/**
 * Returns how the platform's record differs from the bank's record of the payment, or null if the two agree.
 */
function wrongWith(payment: Payment, row: Recorded, atBank: AtBank): string | null {
  const { txid = null, valor, horario, clientId } = payment;
  if (row.environment !== clientId || row.amount !== valor || row.paid_at.getTime() !== horario.getTime())
    return 'is recorded as another one';
  if (row.txid !== txid) return `came for ${txid ?? 'no charge'}, and is recorded for another`;
  return isDueTo(row, atBank) ? null : `is not ${row.cause ?? 'what was asked for'}`;
}

function isDueTo(row: Recorded, { isForCharge, writtenAt }: AtBank): boolean {
  if (row.cause === null) return row.charge_amount === row.amount;
  if (row.cause === 'UNKNOWN_CHARGE') return !isForCharge;
  if (row.cause === 'WRONG_AMOUNT') return row.charge_amount !== row.amount;
  if (row.cause === 'DUPLICATE') return row.is_paid_by_another;
  return row.ended_at !== null && writtenAt >= row.ended_at.getTime();
}
