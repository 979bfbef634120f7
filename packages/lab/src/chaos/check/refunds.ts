import type { Truth } from '@plataforma/testing';
import type { Period } from '../world/world.ts';
import { brokenRules, type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';
import { olderRefunds } from './older-refunds.ts';

/**
 * Money that must be returned: a refund, an unmatched payment, or the amount of an abandoned card payment.
 */
type Due = { id: string; of: string; at_bank: string; amount: number; is_due: boolean; is_ended: boolean } & {
  ended_at: Date | null;
};

/**
 * Selects the money that must be returned. `of` is the id of the Pix payment or of the card charge. `at_bank`
 * is the return's name at the bank.
 */
const DUE = `
  SELECT r.id::text, coalesce(c.end_to_end_id, c.id::text) AS of, replace(r.id::text, '-', '') AS at_bank,
    r.amount_cents AS amount, r.status IN ('ACCEPTED', 'DONE') AS is_due, r.status IN ('DONE',
    'REFUSED') AS is_ended,
    r.ended_at
  FROM refunds r JOIN charges c ON c.id = r.charge_id
  UNION ALL
  SELECT id::text, end_to_end_id, 'unexpected', amount_cents, status = 'RETURNED', status <> 'RETURNING',
  ended_at
  FROM unexpected_payments
  UNION ALL
  SELECT id::text, id::text, 'void', amount_cents, status = 'DECLINED' AND NOT is_watched,
    status = 'DECLINED' AND NOT is_watched, NULL
  FROM charges WHERE payment_method = 'CARD' AND (status = 'DECLINED' OR is_voiding)`;

/**
 * Returns the rules. The charges in `apart` are left out of the rule that compares a charge's refunded amount
 * with its refunds.
 */
const rulesBut = (apart: readonly string[]) => ({
  'more returned than was paid': `
    SELECT concat('charge ', c.id) AS what FROM charges c JOIN refunds r ON r.charge_id = c.id
    WHERE r.status <> 'REFUSED' GROUP BY c.id HAVING sum(r.amount_cents) > c.amount_cents`,
  'a charge that tells of another amount than its refund': `
    SELECT concat('charge ', c.id, ' tells of ', c.refunded_cents, ', its refund of ', r.amount_cents,
      ', its lost disputes of ', d.amount_cents) AS what
    FROM charges c LEFT JOIN refunds r ON r.charge_id = c.id AND r.status = 'DONE'
    LEFT JOIN (
      SELECT charge_id, sum(amount_cents) AS amount_cents FROM disputes WHERE status = 'RESOLVED_CUSTOMER'
      GROUP BY charge_id) d ON d.charge_id = c.id
    WHERE coalesce(c.refunded_cents, 0) <> coalesce(r.amount_cents, 0) + coalesce(d.amount_cents, 0)
      AND c.id <> ALL ('{${apart.join(',')}}'::uuid[])`,
});

/**
 * Invariant 4. Checks that the refunds of a charge never exceed its payment, and that each refund happens
 * once. The platform, the bank and the ledger must agree about them.
 */
export async function checkRefunds(evidence: Evidence): Promise<Finding[]> {
  const { databases, truth } = evidence;
  const due = await rowsOf<Due>(databases.charges, DUE);
  const older = await olderRefunds(evidence);
  const rules = rulesBut(older.map(({ charge }) => charge));
  return [
    ...(await brokenRules(databases.charges, 4, rules)),
    ...comparePix(due, evidence),
    ...compareCards(due, truth.cardCharges),
    ...(await compareBooks(databases, new Set(older.map(({ id }) => id)))),
  ];
}

/** The platform confirms a refusal of the provider within this time. */
const CONFIRMED_MS = 60_000;

function isRefusedIn(refusals: readonly Period[] = [], endedAt: Date | null): boolean {
  const at = endedAt?.getTime() ?? Number.NaN;
  return refusals.some(({ from, to }) => at >= from && at <= to + CONFIRMED_MS);
}

/**
 * Returns true for the return of an unmatched payment, which only the bank can refuse. A refund can also be
 * refused by the ledger.
 */
const isUnexpected = (name: string) => name === 'unexpected';

function comparePix(due: readonly Due[], { truth: { refunds }, refusals }: Evidence): Finding[] {
  const sent = refunds.filter(({ status }) => status !== 'NAO_REALIZADO');
  const nameOf = ({ endToEndId, id }: { endToEndId: string; id: string }) => `${endToEndId}/${id}`;
  const sentOf = Map.groupBy(sent, nameOf);
  const ofPix = due.filter(({ of }) => of.startsWith('E'));
  const dueByName = new Map(ofPix.map((one) => [`${one.of}/${one.at_bank}`, one]));
  const unknown = sent.flatMap((refund) => {
    const mine = dueByName.get(nameOf(refund));
    if (mine && (mine.is_due || !mine.is_ended)) return [];
    const what = `the bank has returned ${refund.valor} of ${refund.endToEndId}`;
    return [
      doubled(4, mine ? `${what}, which ${mine.id} says was refused` : `${what}, which nobody ordered`),
    ];
  });
  const refused = new Set(refunds.filter(({ status }) => status === 'NAO_REALIZADO').map(nameOf));
  const unreturned = ofPix
    .filter(
      ({ of, at_bank, is_due, is_ended, ended_at }) =>
        isUnexpected(at_bank) &&
        is_ended &&
        !is_due &&
        !refused.has(`${of}/${at_bank}`) &&
        !isRefusedIn(refusals, ended_at),
    )
    .map(({ id }) =>
      lost(4, `payment ${id} is kept as one the bank refuses to return, and the bank has not`),
    );
  const missing = ofPix.flatMap(({ id, of, at_bank, amount, is_due }) => {
    const found = sentOf.get(`${of}/${at_bank}`) ?? [];
    if (found.length > 1) return [doubled(4, `${id} was returned ${found.length} times`)];
    if (is_due && found.length === 0) return [lost(4, `${id} was returned, and the bank has not sent it`)];
    return found
      .filter(({ valor }) => valor !== amount)
      .map(({ valor }) => violation(4, `${id} is of ${amount}, and the bank has returned ${valor}`));
  });
  return [...unknown, ...unreturned, ...missing];
}

function compareCards(due: readonly Due[], cardCharges: Truth['cardCharges']): Finding[] {
  const dueOf = Map.groupBy(due, ({ of }) => of);
  return cardCharges
    .filter(({ status }) => status !== 'failed' && status !== 'processing')
    .flatMap(({ code, canceledAmount }) => {
      const all = dueOf.get(code) ?? [];
      if (all.some(({ is_ended }) => !is_ended)) return [];
      const amount = all.reduce((sum, one) => sum + (one.is_due ? one.amount : 0), 0);
      if (amount === canceledAmount) return [];
      const what = `of card charge ${code} ${amount} was to go back, and ${canceledAmount} did`;
      return [canceledAmount > amount ? doubled(4, what) : lost(4, what)];
    });
}

type RefundRow = { id: string; status: string; amount: number };
type Entry = { id: string; kind: string; amount: number };

const REFUNDS = 'SELECT id, status, amount_cents AS amount FROM refunds';
const ENTRIES = `
  SELECT reference AS id, kind, sum(amount_cents)::bigint AS amount
  FROM journal_entries JOIN journal_lines ON entry_id = id
  WHERE kind IN ('refund', 'refund_refused') AND account LIKE 'clearing:%' GROUP BY id`;

/**
 * Compares refunds with their entries in the ledger. A refused refund in `apart` may still be debited,
 * because operators correct its entries by hand.
 */
async function compareBooks(databases: Evidence['databases'], apart: Set<string>): Promise<Finding[]> {
  const refunds = await rowsOf<RefundRow>(databases.charges, REFUNDS);
  const entries = await rowsOf<Entry>(databases.ledger, ENTRIES);
  const refundsById = new Map(refunds.map((refund) => [refund.id, refund]));
  const entriesOf = Map.groupBy(entries, ({ id }) => id);
  const unknown = entries.filter(({ id }) => !refundsById.has(id));
  return [
    ...unknown.map(({ id, kind }) => violation(4, `${kind} ${id} is in the books, and no refund of ours`)),
    ...refunds.flatMap(({ id, status, amount }) => {
      const own = entriesOf.get(id) ?? [];
      const total = own.reduce((sum, entry) => sum + entry.amount, 0);
      const what = `refund ${id} of ${amount} is ${status}, and ${total} in the books`;
      if (own.length > 2 || total > amount) return [doubled(4, what)];
      if (status === 'ACCEPTED' || status === 'DONE') return total === amount ? [] : [violation(4, what)];
      return status === 'REFUSED' && total !== 0 && !apart.has(id) ? [lost(4, what)] : [];
    }),
  ];
}
