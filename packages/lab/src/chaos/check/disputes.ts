import { type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

type Dispute = { id: string; amount: number; end: 'dispute_won' | 'dispute_lost' | null };

const DISPUTES = `
  SELECT id, amount_cents AS amount, CASE status WHEN 'RESOLVED_CUSTOMER' THEN 'dispute_lost'
    WHEN 'RESOLVED_MERCHANT' THEN 'dispute_won' WHEN 'CANCELLED' THEN 'dispute_won' END AS end
  FROM disputes`;

type Entry = { id: string; kind: string; amount: number };

/**
 * Selects the amount that each entry of a dispute reserves or releases. The amount is the reserved money plus
 * the part that the merchant's money did not cover (`dispute_exposure`).
 */
const ENTRIES = `
  SELECT reference AS id, kind, abs(sum(amount_cents))::bigint AS amount
  FROM journal_entries JOIN journal_lines ON entry_id = id
  WHERE kind IN ('dispute_opened', 'dispute_won', 'dispute_lost')
    AND (account LIKE 'reserved:%' OR account = 'dispute_exposure') GROUP BY id`;

/**
 * Invariant 4, for disputed money. Checks that the whole amount is reserved once and released once to the
 * winner of the dispute.
 */
export async function checkDisputes({ databases }: Evidence): Promise<Finding[]> {
  const disputes = await rowsOf<Dispute>(databases.charges, DISPUTES);
  const entries = await rowsOf<Entry>(databases.ledger, ENTRIES);
  const entriesOf = Map.groupBy(entries, ({ id }) => id);
  const disputeIds = new Set(disputes.map(({ id }) => id));
  const unknown = entries.filter(({ id }) => !disputeIds.has(id));
  return [
    ...unknown.map(({ id, kind }) => violation(4, `${kind} ${id} is in the books, and no dispute of ours`)),
    ...disputes.flatMap(({ id, amount, end }) => {
      const own = entriesOf.get(id) ?? [];
      const due = ['dispute_opened', ...(end ? [end] : [])];
      const booked = `${own.map((entry) => `${entry.kind} of ${entry.amount}`)}`;
      const what = `dispute ${id} of ${amount} is due as ${due}, and in the books as ${booked}`;
      if (own.length > due.length) return [doubled(4, what)];
      if (due.some((kind) => own.every((entry) => entry.kind !== kind))) return [lost(4, what)];
      return own.every((entry) => entry.amount === amount) ? [] : [violation(4, what)];
    }),
  ];
}
