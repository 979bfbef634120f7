import { type Evidence, rowsOf } from './evidence.ts';
import { type Finding, notOnce, violation } from './finding.ts';

type Owed = { id: string; kind: string; credit: number; fee: number };

/** Selects the entries that must exist: those of each paid charge and of each unmatched payment. */
const OWED = `
  SELECT id, 'charge_paid' AS kind, amount_cents AS credit, fee_cents AS fee FROM charges
  WHERE paid_at IS NOT NULL
  UNION ALL
  SELECT id, 'unexpected_payment_received', amount_cents, 0::bigint FROM unexpected_payments
  UNION ALL
  SELECT id, 'unexpected_payment_returned', -amount_cents, 0::bigint FROM unexpected_payments
  WHERE status = 'RETURNED'`;

type Posted = Owed & { in_statement: number; credits: number; fees: number };

const POSTED = `
  SELECT reference AS id, kind, in_statement, credits, fees,
    (SELECT coalesce(-sum(amount_cents), 0)::bigint FROM journal_lines
      WHERE entry_id = e.id AND account LIKE 'clearing:%') AS credit,
    (SELECT coalesce(sum(amount_cents), 0)::bigint FROM journal_lines
      WHERE entry_id = e.id AND account = 'fees') AS fee
  FROM journal_entries e, LATERAL (
    SELECT coalesce(sum(amount_cents), 0)::bigint AS in_statement,
      count(*) FILTER (WHERE type = 'CREDIT') AS credits, count(*) FILTER (WHERE type = 'FEE') AS fees
    FROM wallet_transactions WHERE entry_id = e.id) AS rows
  WHERE kind IN ('charge_paid', 'unexpected_payment_received', 'unexpected_payment_returned')`;

/**
 * Invariant 2, in the ledger. Checks that each paid charge has one credit and one fee, and that no other
 * credit exists. The money of an unmatched payment is in no wallet until it is returned.
 */
export async function checkCredits({ databases }: Evidence): Promise<Finding[]> {
  const owed = await rowsOf<Owed>(databases.charges, OWED);
  const posted = await rowsOf<Posted>(databases.ledger, POSTED);
  const nameOf = ({ kind, id }: Owed) => `${kind} ${id}`;
  const byName = Map.groupBy(posted, nameOf);
  const due = new Set(owed.map(nameOf));
  const undue = posted.filter((entry) => !due.has(nameOf(entry)));
  return [
    ...undue.map((entry) => violation(2, `${nameOf(entry)} is in the books, and did not happen`)),
    ...owed.flatMap((fact) => {
      const entries = byName.get(nameOf(fact)) ?? [];
      const [entry] = entries;
      if (!entry || entries.length > 1) return notOnce(2, entries.length, `${nameOf(fact)} in the books`);
      return compare(fact, entry);
    }),
  ];
}

function compare(fact: Owed, entry: Posted): Finding[] {
  const { id, kind, credit, fee } = fact;
  const findings: Finding[] = [];
  if (entry.credit !== credit || entry.fee !== fee) {
    const said = `${entry.credit} with a fee of ${entry.fee}`;
    findings.push(violation(2, `${kind} ${id} of ${credit} with a fee of ${fee} is in the books as ${said}`));
  }
  if (kind !== 'charge_paid') {
    if (entry.in_statement !== 0) findings.push(violation(2, `${kind} ${id} is in somebody’s statement`));
    return findings;
  }
  findings.push(...notOnce(2, entry.credits, `credit of charge ${id}`));
  if (fee > 0) findings.push(...notOnce(2, entry.fees, `fee of charge ${id}`));
  if (findings.length === 0 && entry.in_statement !== credit - fee)
    findings.push(violation(2, `charge ${id} brought ${entry.in_statement}, not ${credit - fee}`));
  return findings;
}
