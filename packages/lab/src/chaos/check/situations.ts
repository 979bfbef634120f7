import { z } from 'zod';
import type { Character } from '../actors/shop-manners.ts';
import type { Call } from '../history.ts';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';

/**
 * Returns SQL for the attempts at endpoints whose path contains the word. These endpoints accept no webhook.
 */
const attemptsAt = (word: string) => `
  SELECT FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
    JOIN configurations c ON c.id = d.configuration_id
  WHERE c.url LIKE '%/${word}/%'`;

const visitsPaidBy = (method: string) =>
  `SELECT FROM checkouts v JOIN charges c ON c.id = v.charge_id WHERE v.use = 'USED'
    AND c.payment_method = '${method}'`;

/** Situations that a run may have caused, by the service whose database shows them. */
const situations = {
  charges: {
    'payments of a charge that was paid': "SELECT FROM unexpected_payments WHERE cause = 'DUPLICATE'",
    'payments that came too late': "SELECT FROM unexpected_payments WHERE cause = 'LATE'",
    'payments of another amount': "SELECT FROM unexpected_payments WHERE cause = 'WRONG_AMOUNT'",
    'payments for no charge': "SELECT FROM unexpected_payments WHERE cause = 'UNKNOWN_CHARGE'",
    'unexpected payments that went back': "SELECT FROM unexpected_payments WHERE status = 'RETURNED'",
    'charges paid by Pix': "SELECT FROM charges WHERE paid_at IS NOT NULL AND payment_method = 'PIX'",
    'charges paid by card': "SELECT FROM charges WHERE paid_at IS NOT NULL AND payment_method = 'CARD'",
    'cards that were declined': "SELECT FROM charges WHERE status = 'DECLINED'",
    'charges that expired': "SELECT FROM charges WHERE status = 'EXPIRED'",
    'charges that were cancelled': "SELECT FROM charges WHERE status = 'CANCELLED'",
    'refunds that were done': "SELECT FROM refunds WHERE status = 'DONE'",
    'refunds that came to nothing': "SELECT FROM refunds WHERE status = 'REFUSED'",
    'refunds that took several orders': 'SELECT FROM refunds WHERE attempts > 1',
    'disputes that were lost': "SELECT FROM disputes WHERE status = 'RESOLVED_CUSTOMER'",
    'disputes that were won': "SELECT FROM disputes WHERE status IN ('RESOLVED_MERCHANT', 'CANCELLED')",
    'visits that were paid by Pix': visitsPaidBy('PIX'),
    'visits that were paid by card': visitsPaidBy('CARD'),
    'visits that were not paid': "SELECT FROM checkouts WHERE use <> 'USED' AND charge_id IS NOT NULL",
    'money that came late for a visit, and went back': `SELECT FROM unexpected_payments u JOIN charges c
      ON c.id = u.charge_id
      WHERE c.checkout_id IS NOT NULL AND u.status = 'RETURNED'`,
  },
  withdrawals: {
    'withdrawals that were completed': "SELECT FROM withdrawals WHERE status = 'COMPLETED'",
    'withdrawals that failed, and came back': "SELECT FROM withdrawals WHERE status = 'FAILED'",
    'withdrawals that were rejected, and came back': "SELECT FROM withdrawals WHERE status = 'REJECTED'",
    'withdrawals that their merchant cancelled':
      "SELECT FROM withdrawals WHERE rejected_reason = 'cancelled by the merchant'",
    'withdrawals that were abandoned': "SELECT FROM withdrawals WHERE status = 'ABANDONED'",
    'withdrawals that the balance did not cover': "SELECT FROM withdrawals WHERE status = 'REFUSED'",
    'withdrawals that two people approved': 'SELECT FROM withdrawals WHERE second_approver IS NOT NULL',
    'transfers that people made': "SELECT FROM withdrawals WHERE method = 'TED' AND status = 'COMPLETED'",
  },
  ledger: {
    'debits refused for ever': 'SELECT FROM debit_answers WHERE is_refused',
    'debts that were collected': "SELECT FROM journal_entries WHERE kind = 'debt_collected'",
    'events set aside by the ledger': 'SELECT FROM dead_letters',
  },
  webhooks: {
    'deliveries that took several attempts':
      "SELECT FROM deliveries WHERE status = 'SUCCEEDED' AND attempts > 1",
    'deliveries given up after the last attempt':
      "SELECT FROM deliveries WHERE status = 'FAILED' AND attempts >= 6",
    'deliveries nobody wanted any more': "SELECT FROM deliveries WHERE status = 'FAILED' AND attempts < 6",
    'attempts without an answer': 'SELECT FROM delivery_attempts WHERE status_code IS NULL',
    'events set aside by webhooks': 'SELECT FROM dead_letters',
    'calls of an endpoint whose certificate nobody trusts': attemptsAt('distrusted'),
    'calls of an endpoint without TLS': attemptsAt('without-TLS'),
  },
  gateway: {
    'API keys that were revoked': 'SELECT FROM api_keys WHERE revoked_at IS NOT NULL',
    'sandboxes whose clock was moved': 'SELECT FROM organizations WHERE sandbox_ahead_ms > 0',
  },
} as const satisfies Partial<Record<keyof Databases, Record<string, string>>>;

/** Servers that fail until the end of the run, by the word in their path. */
const manners = {
  hanging: 'webhooks to an endpoint that never answers',
  dripping: 'webhooks to an endpoint that answers a byte at a time',
  redirecting: 'webhooks to an endpoint that sends its callers elsewhere',
  gigabyte: 'webhooks to an endpoint that answers without an end',
  gone: 'webhooks to an endpoint that is gone',
} as const satisfies Partial<Record<Character, string>>;

const isNoUsesLeft = z.object({ error: z.object({ code: z.literal('NO_USES_LEFT') }) });
/**
 * Returns the id of the visit that a call is about. The id is in the path, or in the body of the request that
 * creates the visit.
 */
const visitOf = ({ path, body }: Call) => /^\/v1\/checkouts\/([^/?]+)/.exec(path)?.[1] ?? body?.id;

export async function situationsIn({ databases, calls, received }: Evidence): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const service of ['charges', 'withdrawals', 'ledger', 'webhooks', 'gateway'] as const) {
    for (const [name, sql] of Object.entries(situations[service])) {
      const [row] = await rowsOf<{ count: number }>(
        databases[service],
        `SELECT count(*) FROM (${sql}) AS found`,
      );
      counts.set(name, row?.count ?? 0);
    }
  }
  for (const [manner, name] of Object.entries(manners)) {
    const met = received.filter(
      (one) => one.configurationPath.split('/')[2] === manner && one.status !== 200,
    );
    counts.set(name, met.length);
  }
  const without = calls.filter(({ answer }) => isNoUsesLeft.safeParse(answer).success);
  counts.set('visits that found no use left', new Set(without.map(visitOf)).size);
  const taken = received.filter(({ status }) => status !== null && status >= 200 && status < 300);
  const timesTaken = [...Map.groupBy(taken, ({ id }) => id).values()];
  const isTakenAgain = (times: readonly unknown[]) => times.length > 1;
  return counts.set('deliveries a shop took more than once', timesTaken.filter(isTakenAgain).length);
}
