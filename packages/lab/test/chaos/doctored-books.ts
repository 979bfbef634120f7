import { type DoctoredData, first } from './doctored-data.ts';

/** A line more in one of the first entries of a wallet. */
const insertReserved = (sequence: number, cents: number) => `
  INSERT INTO journal_lines (entry_id, account, amount_cents)
  SELECT entry.id, account, amount FROM (
    SELECT e.id FROM journal_entries e JOIN journal_entries second USING (merchant_id, environment)
    WHERE e.wallet_sequence = ${sequence} AND second.wallet_sequence = 2 ORDER BY second.id LIMIT 1) AS entry,
    (VALUES ('reserved:BOLETO', ${cents}), ('reserved:CARD', ${-cents})) AS line (account, amount)`;

/** Another row of the same in a statement. */
const insertCopy = (kind: string, amount: string, type = 'CREDIT') => `
  INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents,
    description, payment_method, charge_id, ordinal)
  SELECT gen_random_uuid(), ${kind === 'charge_paid' ? 'entry_id' : first('journal_entries', `kind = '${kind}'`)},
    merchant_id, environment, type, ${amount}, balance_after_cents, description, payment_method, charge_id, 1000 + ordinal
  FROM wallet_transactions WHERE type = '${type}' ORDER BY ordinal LIMIT 1`;

/** Moves a cent between two accounts of an entry, which adds up to zero all the same. */
const moveACent = (kind: string, from: string, to: string) => `
  UPDATE journal_lines SET amount_cents = amount_cents + CASE account WHEN '${to}' THEN 1 ELSE -1 END
  WHERE account IN ('${from}', '${to}') AND entry_id = ${first('journal_entries', `kind = '${kind}'`)}`;

/** Lies in the books of the ledger. */
export const doctoredBooks: DoctoredData[] = [
  {
    name: 'a wallet was changed without an entry',
    service: 'ledger',
    sql: 'UPDATE wallets SET available_pix_cents = available_pix_cents + 1',
    invariants: [1],
    finds: /^a wallet that is not what its lines add up to: .*available:PIX/,
  },
  {
    name: 'a wallet is below zero',
    service: 'ledger',
    sql: [
      'ALTER TABLE wallets DROP CONSTRAINT wallets_blocked_pix_cents_check',
      'UPDATE wallets SET blocked_pix_cents = -1',
    ],
    invariants: [1],
    finds: /^a wallet below zero: .*blocked_pix_cents is -1/,
  },
  {
    name: 'a wallet was below zero for a while',
    service: 'ledger',
    sql: [insertReserved(1, -1), insertReserved(2, 1)],
    invariants: [1],
    finds: /^a wallet that was below zero for a while: reserved:BOLETO/,
  },
  {
    name: 'an entry does not add up to zero',
    service: 'ledger',
    sql: `UPDATE journal_lines SET amount_cents = amount_cents + 1 WHERE account LIKE 'clearing:%'
      AND entry_id = ${first('journal_entries', "kind = 'withdrawal_completed'")}`,
    invariants: [1],
    finds: /^lines of an entry that do not add up to zero/,
  },
  {
    name: 'a line is of no entry',
    service: 'ledger',
    sql: "INSERT INTO journal_lines (entry_id, account, amount_cents) VALUES (gen_random_uuid(), 'fees', 1)",
    invariants: [1],
    finds: /^a line of no entry/,
  },
  {
    name: 'an entry was taken out of its chain',
    service: 'ledger',
    sql: 'UPDATE journal_entries SET previous_hash = NULL WHERE wallet_sequence = 3',
    invariants: [1],
    finds: /^an entry that does not follow the one before it in its chain/,
  },
  {
    name: 'a wallet does not know the end of its chain',
    service: 'ledger',
    sql: "UPDATE wallets SET chain_hash = decode(repeat('00', 32), 'hex')",
    invariants: [1],
    finds: /^a wallet that does not end where its chain does/,
  },
  {
    name: 'a credit stands twice in a statement',
    service: 'ledger',
    sql: insertCopy('charge_paid', 'amount_cents'),
    invariants: [1, 2, 6],
    finds: [/^rows of a statement that do not add up to its wallet/, /^2 times credit of charge/],
  },
  {
    name: 'a fee stands twice in a statement',
    service: 'ledger',
    sql: insertCopy('charge_paid', 'amount_cents', 'FEE'),
    invariants: [1, 2, 6],
    finds: /^2 times fee of charge/,
  },
  {
    name: 'a charge brought less than its amount without the fee',
    service: 'ledger',
    sql: `UPDATE wallet_transactions SET amount_cents = amount_cents - 1 WHERE type = 'CREDIT' AND ordinal = 1`,
    invariants: [1, 2, 9],
    finds: /^charge .* brought \d+, not \d+/,
  },
  {
    name: 'money that paid nothing stands in a statement',
    service: 'ledger',
    sql: insertCopy('unexpected_payment_received', '1'),
    invariants: [1, 2, 6],
    finds: /^unexpected_payment_received .* is in somebody’s statement/,
  },
  {
    name: 'a statement tells of another balance',
    service: 'ledger',
    sql: 'UPDATE wallet_transactions SET balance_after_cents = balance_after_cents + 1 WHERE ordinal = 2',
    invariants: [1, 9],
    finds: /^a balance after a row that does not follow from the one before/,
  },
  {
    name: 'a wallet tells of another total',
    service: 'ledger',
    sql: 'UPDATE wallets SET total_earned_cents = total_earned_cents + 1',
    invariants: [1],
    finds: /^totals that are not those of the rows/,
  },
  {
    name: 'more card money is to come than is pending',
    service: 'ledger',
    sql: 'UPDATE receivables SET amount_cents = amount_cents + 1, remaining_cents = remaining_cents + 1',
    invariants: [1],
    finds: /^card money to come that is not what is pending of its charge/,
  },
  {
    name: 'a wallet owes what no lost dispute has left, and does not pay it',
    service: 'ledger',
    sql: 'UPDATE wallets SET dispute_debt_cents = 1, collectable_debt_cents = 1 WHERE available_pix_cents > 0',
    invariants: [1],
    finds: [
      /^a debt of lost disputes that is not what they left of it/,
      /^a debt that is not paid, though there is/,
    ],
  },
  {
    name: 'a charge is paid, and nobody was credited',
    service: 'ledger',
    sql: `UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'charge_paid' AND charge_id NOT IN (
      SELECT charge_id FROM journal_entries WHERE kind <> 'charge_paid' AND charge_id IS NOT NULL)`,
    invariants: [2],
    finds: /^no charge_paid .* in the books/,
  },
  {
    name: 'somebody was credited for nothing',
    service: 'ledger',
    sql: `UPDATE journal_entries SET reference = gen_random_uuid()
      WHERE id = ${first('journal_entries', "kind = 'charge_paid'")}`,
    invariants: [2],
    finds: /^charge_paid .* is in the books, and did not happen/,
  },
  {
    name: 'a fee is not what it was to be',
    service: 'ledger',
    sql: moveACent('charge_paid', 'fees', 'clearing:PIX'),
    invariants: [2],
    finds: /^charge_paid .* with a fee of \d+ is in the books as/,
  },
  {
    name: 'a withdrawal that was paid has its money back',
    service: 'ledger',
    sql: `UPDATE journal_entries SET kind = 'withdrawal_returned'
      WHERE id = ${first('journal_entries', "kind = 'withdrawal_completed'")}`,
    invariants: [3],
    finds: /^withdrawal .* is COMPLETED, and in the books 1 times created, 0 completed, 1 returned/,
  },
  {
    name: 'a payout is of nobody in the books',
    service: 'ledger',
    sql: `UPDATE journal_entries SET reference = gen_random_uuid()
      WHERE id = ${first('journal_entries', "kind = 'withdrawal_completed'")}`,
    invariants: [3],
    finds: /^withdrawal_completed is in the books for .*, which is no withdrawal/,
  },
  {
    name: 'a withdrawal took more than was ordered',
    service: 'ledger',
    sql: moveACent('withdrawal_created', 'available:PIX', 'payouts'),
    invariants: [1, 3],
    finds: /^withdrawal_created of .* took \d+ for a payout of \d+/,
  },
  {
    name: 'the books never took the money of a refund',
    service: 'ledger',
    sql: "UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'refund'",
    invariants: [4],
    finds: /^refund .* is DONE, and 0 in the books/,
  },
  {
    name: 'the books took the money of no refund',
    service: 'ledger',
    sql: "UPDATE journal_entries SET reference = gen_random_uuid() WHERE kind = 'refund'",
    invariants: [4],
    finds: /^refund .* is in the books, and no refund of ours/,
  },
  {
    name: 'the books know nothing of the end of a dispute',
    service: 'ledger',
    sql: "UPDATE journal_entries SET kind = 'unheard of' WHERE kind = 'dispute_lost'",
    invariants: [4],
    finds: /^dispute .* is due as dispute_opened,dispute_lost, and in the books as dispute_opened of \d+$/,
  },
  {
    name: 'the books know of a dispute that nobody else knows',
    service: 'ledger',
    sql: "UPDATE journal_entries SET reference = gen_random_uuid() WHERE kind = 'dispute_lost'",
    invariants: [4],
    finds: /^dispute_lost .* is in the books, and no dispute of ours/,
  },
];
