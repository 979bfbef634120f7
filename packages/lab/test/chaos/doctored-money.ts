import { type DoctoredData, first } from './doctored-data.ts';

const A_PIX = first('charges', "payment_method = 'PIX' AND status = 'PAID'");
const causeIs = (cause: string, was: string) =>
  `UPDATE unexpected_payments SET cause = '${cause}' WHERE cause = '${was}'`;

/** Lies about money in the databases of those who take it and send it. */
export const doctoredMoney: DoctoredData[] = [
  {
    name: 'a payment that paid nothing was forgotten',
    service: 'charges',
    sql: 'DELETE FROM unexpected_payments',
    invariants: [2, 4, 6],
    finds: [/^payment E\w+ of \d+ is not recorded/, /^the bank has returned \d+ of .*, which nobody ordered/],
  },
  {
    name: 'a payment the bank never saw has paid a charge',
    service: 'charges',
    sql: [
      `UPDATE payments SET end_to_end_id = 'E0' WHERE charge_id = ${A_PIX}`,
      `UPDATE charges SET end_to_end_id = 'E0' WHERE id = ${A_PIX}`,
    ],
    invariants: [2],
    finds: /^payment E0 is recorded, and the bank knows nothing of it/,
  },
  {
    name: 'a payment has paid twice',
    service: 'charges',
    sql: `UPDATE unexpected_payments SET end_to_end_id = (SELECT end_to_end_id FROM payments WHERE charge_id = ${A_PIX})
      WHERE cause = 'UNKNOWN_CHARGE'`,
    invariants: [2, 4],
    finds: /^payment E\w+ of \d+ is recorded 2 times/,
  },
  {
    name: 'a charge was paid by nothing',
    service: 'charges',
    sql: `DELETE FROM payments WHERE charge_id = ${A_PIX}`,
    invariants: [2],
    finds: /^a Pix charge that is paid by nothing/,
  },
  {
    name: 'a charge does not tell of its payment',
    service: 'charges',
    sql: `UPDATE charges SET paid_at = paid_at - interval '1 minute' WHERE id = ${A_PIX}`,
    invariants: [2],
    finds: /^a payment that its charge does not tell of/,
  },
  {
    name: 'the amount of a payment is another one',
    service: 'charges',
    sql: `UPDATE payments SET amount_cents = amount_cents + 1 WHERE charge_id = ${A_PIX}`,
    invariants: [2],
    finds: /^payment .* is recorded as another one/,
  },
  {
    name: 'a right payment counts as one for no charge',
    service: 'charges',
    sql: `UPDATE unexpected_payments SET cause = 'UNKNOWN_CHARGE', charge_id = NULL, merchant_id = NULL
      WHERE cause = 'DUPLICATE'`,
    invariants: [2],
    finds: /^payment .* is not UNKNOWN_CHARGE/,
  },
  {
    name: 'a payment of the right amount counts as one of another',
    service: 'charges',
    sql: causeIs('WRONG_AMOUNT', 'DUPLICATE'),
    invariants: [2],
    finds: /^payment .* is not WRONG_AMOUNT/,
  },
  {
    name: 'the only payment of a charge counts as its second',
    service: 'charges',
    sql: causeIs('DUPLICATE', 'WRONG_AMOUNT'),
    invariants: [2],
    finds: /^payment .* is not DUPLICATE/,
  },
  {
    name: 'the payment of a charge that was never over counts as late',
    service: 'charges',
    sql: causeIs('LATE', 'DUPLICATE'),
    invariants: [2],
    finds: /^payment .* is not LATE/,
  },
  {
    name: 'a payment that came in time counts as late',
    service: 'charges',
    sql: `UPDATE charges SET expires_at = expires_at + interval '1 minute' WHERE status = 'EXPIRED'`,
    invariants: [2, 6],
    finds: [/^payment .* is not LATE/, /^a charge that expired before its time/],
  },
  {
    name: 'a card was charged for what is declined here',
    service: 'charges',
    sql: `UPDATE charges SET status = 'DECLINED', paid_at = NULL, decline_reason = 'card_declined'
      WHERE payment_method = 'CARD'`,
    invariants: [2, 4, 5, 6, 9],
    finds: /^the card of .* was charged, and the charge is DECLINED/,
  },
  {
    name: 'a withdrawal that failed is called completed',
    service: 'withdrawals',
    sql: `UPDATE withdrawals SET status = 'COMPLETED', failure_reason = NULL, provider_tx_id = 'E1'
      WHERE status = 'FAILED' AND method = 'PIX'`,
    invariants: [3, 6],
    finds: /^withdrawal .* is COMPLETED, and the bank has not paid it/,
  },
  {
    name: 'more was refunded than was paid',
    service: 'charges',
    sql: 'UPDATE refunds SET amount_cents = 10000000',
    invariants: [4, 9],
    finds: [/^more returned than was paid/, /is of 10000000, and the bank has returned \d+/],
  },
  {
    name: 'a charge tells of another refund',
    service: 'charges',
    sql: `UPDATE charges SET refunded_cents = refunded_cents + 1
      WHERE refund_reason IS DISTINCT FROM 'dispute' AND status = 'REFUNDED'`,
    invariants: [4, 6],
    finds: /^a charge that tells of another amount than its refund/,
  },
  {
    name: 'what the bank returned counts as refused',
    service: 'charges',
    sql: `UPDATE unexpected_payments SET status = 'RETURN_REFUSED', returned_at = NULL WHERE status = 'RETURNED'`,
    invariants: [2, 4, 6],
    finds: [
      /^the bank has returned \d+ of .*, which .* says was refused/,
      /^payment .* is kept as one the bank refuses to return/,
    ],
  },
  {
    name: 'a dispute has a twin',
    service: 'charges',
    sql: [
      'ALTER TABLE disputes DROP CONSTRAINT disputes_provider_reference',
      'DROP INDEX disputes_undecided',
      `INSERT INTO disputes SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
        FROM disputes d WHERE provider_reference IS NOT NULL`,
    ],
    invariants: [4, 6],
    finds: [/^infraction:.* has opened 2 disputes/, /^chargeback:.* has opened 2 disputes/],
  },
  {
    name: 'a dispute is of more than is contested',
    service: 'charges',
    sql: 'UPDATE disputes SET amount_cents = amount_cents + 1 WHERE provider_reference IS NOT NULL',
    invariants: [4],
    finds: [
      /^dispute .* is of infraction:.*, which contests \d+/,
      /^dispute .* is of chargeback:.*, which contests/,
    ],
  },
];
