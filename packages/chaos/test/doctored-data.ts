import type { ServiceName } from '@plataforma/testing';

export interface DoctoredData {
  name: string;
  service: ServiceName;
  sql: string | string[];
  /** All that go red. */
  invariants: number[];
  /** In the words of the finding that it is about. */
  finds?: RegExp;
}

const first = (table: string, where: string) =>
  `(SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT 1)`;
const A_PIX = first('charges', "payment_method = 'PIX' AND status = 'PAID'");
const COPY_OF_A_CREDIT = `
  SELECT gen_random_uuid(), entry_id, merchant_id, environment, type, amount_cents,
    balance_after_cents, description, payment_method, charge_id, 1000 + ordinal
  FROM wallet_transactions WHERE type = 'CREDIT' ORDER BY ordinal LIMIT 1`;

/** A line more in one of the first entries of a wallet. */
const insertReserved = (sequence: number, cents: number) => `
  INSERT INTO journal_lines (entry_id, account, amount_cents)
  SELECT entry.id, account, amount FROM (
    SELECT e.id FROM journal_entries e JOIN journal_entries second USING (merchant_id, environment)
    WHERE e.wallet_sequence = ${sequence} AND second.wallet_sequence = 2 ORDER BY second.id LIMIT 1) AS entry,
    (VALUES ('reserved:BOLETO', ${cents}), ('reserved:CARD', ${-cents})) AS line (account, amount)`;

/** Lies in the databases, each of which breaks promises of the platform. */
export const doctoredData: DoctoredData[] = [
  {
    name: 'a wallet was changed without an entry',
    service: 'ledger',
    sql: 'UPDATE wallets SET available_pix_cents = available_pix_cents + 1',
    invariants: [1],
  },
  {
    name: 'a wallet is below zero',
    service: 'ledger',
    sql: [
      'ALTER TABLE wallets DROP CONSTRAINT wallets_blocked_pix_cents_check',
      'UPDATE wallets SET blocked_pix_cents = -1',
    ],
    invariants: [1],
  },
  {
    name: 'a wallet was below zero for a while',
    service: 'ledger',
    sql: [insertReserved(1, -1), insertReserved(2, 1)],
    invariants: [1],
  },
  {
    name: 'an entry does not add up to zero',
    service: 'ledger',
    sql: `UPDATE journal_lines SET amount_cents = amount_cents + 1 WHERE account LIKE 'clearing:%'
      AND entry_id = ${first('journal_entries', "kind = 'withdrawal_completed'")}`,
    invariants: [1],
  },
  {
    name: 'an entry was taken out of its chain',
    service: 'ledger',
    sql: 'UPDATE journal_entries SET previous_hash = NULL WHERE wallet_sequence = 3',
    invariants: [1],
  },
  {
    name: 'a credit stands twice in a statement',
    service: 'ledger',
    sql: `INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
      balance_after_cents, description, payment_method, charge_id, ordinal) ${COPY_OF_A_CREDIT}`,
    invariants: [1, 2],
  },
  {
    name: 'a charge is paid, and nobody was credited',
    service: 'ledger',
    sql: `UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'charge_paid' AND charge_id NOT IN (
      SELECT charge_id FROM journal_entries WHERE kind <> 'charge_paid' AND charge_id IS NOT NULL)`,
    invariants: [2],
  },
  {
    name: 'a payment that paid nothing was forgotten',
    service: 'charges',
    sql: 'DELETE FROM unexpected_payments',
    invariants: [2, 4, 6],
  },
  {
    name: 'a payment the bank never saw has paid a charge',
    service: 'charges',
    sql: [
      `UPDATE payments SET end_to_end_id = 'E0' WHERE charge_id = ${A_PIX}`,
      `UPDATE charges SET end_to_end_id = 'E0' WHERE id = ${A_PIX}`,
    ],
    invariants: [2],
  },
  {
    name: 'a withdrawal that was paid has its money back',
    service: 'ledger',
    sql: `UPDATE journal_entries SET kind = 'withdrawal_returned'
      WHERE id = ${first('journal_entries', "kind = 'withdrawal_completed'")}`,
    invariants: [3],
  },
  {
    name: 'a withdrawal that failed is called completed',
    service: 'withdrawals',
    sql: `UPDATE withdrawals SET status = 'COMPLETED', failure_reason = NULL, provider_tx_id = 'E1'
      WHERE status = 'FAILED'`,
    invariants: [3, 6],
  },
  {
    name: 'more was refunded than was paid',
    service: 'charges',
    sql: 'UPDATE refunds SET amount_cents = 10000000',
    invariants: [4, 9],
  },
  {
    name: 'the books never took the money of a refund',
    service: 'ledger',
    sql: "UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'refund'",
    invariants: [4],
  },
  {
    name: 'the books know nothing of the end of a dispute',
    service: 'ledger',
    sql: "UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'dispute_lost'",
    invariants: [4],
  },
  {
    name: 'two charges have one externalId',
    service: 'charges',
    sql: ['DROP INDEX charges_external_id', "UPDATE charges SET external_id = 'one'"],
    invariants: [5, 9],
  },
  {
    name: 'a withdrawal nobody ordered stands beside its twin',
    service: 'withdrawals',
    sql: `INSERT INTO withdrawals SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
      FROM withdrawals w WHERE amount_cents = 20000`,
    invariants: [3, 5, 6],
  },
  {
    name: 'a status is not what was told last',
    service: 'charges',
    sql: `UPDATE charges SET status = 'EXPIRED' WHERE status = 'CANCELLED'`,
    invariants: [6, 9],
  },
  {
    name: 'something was told that could not follow',
    service: 'charges',
    sql: `UPDATE outbox SET body = replace(body, '"type":"charge.refunded"', '"type":"charge.expired"'),
      type = 'charge.expired' WHERE type = 'charge.refunded'`,
    invariants: [6, 7],
  },
  {
    name: 'a change was never told',
    service: 'charges',
    sql: "DELETE FROM outbox WHERE type = 'dispute.resolved'",
    invariants: [6, 7, 8],
  },
  {
    name: 'nobody stands for an operator’s decision',
    service: 'withdrawals',
    sql: "DELETE FROM audit_log WHERE action = 'withdrawal.reject'",
    invariants: [6],
  },
  {
    name: 'an event was never queued for who wants it',
    service: 'webhooks',
    sql: [
      `DELETE FROM delivery_attempts WHERE delivery_id = ${first('deliveries', "event_type = 'charge.paid'")}`,
      `UPDATE deliveries SET event_id = gen_random_uuid()
        WHERE id = ${first('deliveries', "event_type = 'charge.paid'")}`,
    ],
    invariants: [7],
  },
  {
    name: 'a delivery went on after its success',
    service: 'webhooks',
    sql: [
      `INSERT INTO delivery_attempts SELECT (jsonb_populate_record(a, '{"number": 2}')).* FROM delivery_attempts a
        JOIN deliveries d ON d.id = delivery_id WHERE d.attempts = 1 LIMIT 1`,
      `UPDATE deliveries SET attempts = 2 WHERE id IN (
        SELECT delivery_id FROM delivery_attempts GROUP BY 1 HAVING count(*) = 2)`,
    ],
    invariants: [7],
  },
  {
    name: 'a delivery was given up after one attempt',
    service: 'webhooks',
    sql: [
      `UPDATE delivery_attempts SET status_code = 500 WHERE delivery_id =
        ${first('deliveries', "event_type = 'withdrawal.failed'")}`,
      `UPDATE deliveries SET status = 'FAILED' WHERE event_type = 'withdrawal.failed'`,
    ],
    invariants: [7],
  },
  {
    name: 'an event never left its outbox',
    service: 'charges',
    sql: "UPDATE outbox SET published_at = NULL WHERE type = 'charge.refunded'",
    invariants: [8],
  },
  {
    name: 'a subscriber has not applied an event',
    service: 'ledger',
    sql: `DELETE FROM inbox WHERE event_id = (SELECT min(event_id::text)::uuid FROM inbox)`,
    invariants: [8],
  },
  {
    name: 'a subscriber has applied an event twice',
    service: 'webhooks',
    sql: [
      'ALTER TABLE inbox DROP CONSTRAINT inbox_pkey',
      'INSERT INTO inbox SELECT event_id, received_at FROM inbox LIMIT 1',
    ],
    invariants: [8],
  },
  {
    name: 'a subscriber has applied what nobody announced',
    service: 'ledger',
    sql: 'INSERT INTO inbox (event_id) VALUES (gen_random_uuid())',
    invariants: [8],
  },
  {
    name: 'an event was set aside that is no poison',
    service: 'ledger',
    sql: `INSERT INTO dead_letters (id, fingerprint, event_id, type, body, died_at)
      VALUES (gen_random_uuid(), 'f', gen_random_uuid(), 'charge.paid', '', now())`,
    invariants: [8],
  },
  {
    name: 'a service does not know how a merchant stands',
    service: 'withdrawals',
    sql: `UPDATE merchants SET snapshot = snapshot || '{"status": "SUSPENDED"}'`,
    invariants: [8],
  },
  {
    name: 'a service has never heard of a merchant',
    service: 'charges',
    sql: 'DELETE FROM merchants',
    invariants: [8],
  },
  {
    name: 'an acknowledged charge is not there any more',
    service: 'charges',
    sql: "DELETE FROM charges WHERE status = 'CANCELLED'",
    invariants: [9],
  },
  {
    name: 'a deleted configuration is back',
    service: 'webhooks',
    sql: `UPDATE configurations SET deleted_at = NULL, secret_key_id = 'k', secret_sealed = ''
      WHERE deleted_at IS NOT NULL`,
    invariants: [9],
  },
  {
    name: 'a refund is of another merchant than its charge',
    service: 'charges',
    sql: 'UPDATE refunds SET merchant_id = gen_random_uuid()',
    invariants: [10],
  },
  {
    name: 'a merchant was shown what is another’s',
    service: 'charges',
    sql: "UPDATE charges SET merchant_id = gen_random_uuid() WHERE status = 'CANCELLED'",
    invariants: [10],
  },
  {
    name: 'sandbox events are delivered in production',
    service: 'webhooks',
    sql: "UPDATE deliveries SET environment = 'production'",
    invariants: [10],
  },
];
