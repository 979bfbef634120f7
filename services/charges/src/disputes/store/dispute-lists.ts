import type { AdminDisputeQuery, DisputeQuery } from '@plataforma/contracts';
import {
  type ComposedQuery,
  type Page,
  type Queryable,
  readPage,
  runComposed,
  type Slice,
  selected,
  composeSql as sql,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { MAX_COUNTED, searchByCharge } from '../../store/charge-search.ts';
import { narrowed, ofAnybody, ofTenant, sumsOfAmounts } from '../../store/owned-rows.ts';
import type { Dispute, ListedDispute } from '../domain/dispute.ts';
import { DISPUTE_COLUMNS, type DisputeRow, disputeOf } from './disputes.ts';

export async function listDisputes(
  db: Queryable,
  tenant: Tenant,
  query: DisputeQuery & Slice,
): Promise<Page<ListedDispute>> {
  const matching = narrowed(ofTenant('disputes', tenant), query);
  if (query.deadlineBefore) matching.where('deadline', '<', query.deadlineBefore);
  (await searchByCharge(db, { tenant, table: 'disputes' }, query.search))?.narrow(matching);
  return readDisputes(db, matching, query);
}

/**
 * Returns one page of all merchants' disputes. `overdue` selects the undecided disputes whose deadline has
 * passed.
 */
export async function listAllDisputes(
  db: Queryable,
  query: AdminDisputeQuery,
  now: Date,
): Promise<Page<ListedDispute>> {
  const matching = ofAnybody('disputes', query);
  if (query.overdue) matching.whereIn('status', ['OPEN', 'UNDER_REVIEW']).where('deadline', '<', now);
  return readDisputes(db, matching, query);
}

const LISTED_COLUMNS = [
  ...DISPUTE_COLUMNS.filter((column) => !column.startsWith('evidence_documents')),
  'cardinality(evidence_documents) AS "documentCount"',
  ...[
    ['external_id', 'externalId'],
    ['payment_method', 'paymentMethod'],
    ['payer_name', 'payerName'],
  ].map(
    ([column, name]) => `(SELECT ${column} FROM charges WHERE charges.id = disputes.charge_id) AS "${name}"`,
  ),
];

function readDisputes(
  db: Queryable,
  matching: ComposedQuery,
  query: Slice & { search?: string | undefined },
): Promise<Page<ListedDispute>> {
  const listing = { matching: matching.select(selected(LISTED_COLUMNS)), sums: sumsOfAmounts };
  const cap = query.search && { countAtMost: MAX_COUNTED };
  return readPage(db, { ...listing, ...cap, itemOf: listedDisputeOf }, query);
}

type OfCharge = Pick<ListedDispute, 'externalId' | 'paymentMethod' | 'payerName'>;

function listedDisputeOf(row: DisputeRow & OfCharge & { documentCount: number | null }): ListedDispute {
  const { evidence, documentCount, ...dispute } = disputeOf(row);
  if (!evidence) return { ...dispute, evidence };
  const { description, sentAt } = evidence;
  return { ...dispute, evidence: { description, documentCount: documentCount ?? 0, sentAt } };
}

const NEWEST = 'SELECT id FROM disputes WHERE charge_id = $1 ORDER BY created_at DESC LIMIT 1';

export async function newestDisputeOf(db: Queryable, chargeId: string): Promise<string | null> {
  const [newest] = await db.query<{ id: string }>(NEWEST, [chargeId]);
  return newest?.id ?? null;
}

const UNRESOLVED = `
  SELECT amount_cents AS amount, created_at AS "createdAt" FROM disputes
  WHERE charge_id = $1 AND resolved_at IS NULL ORDER BY created_at DESC LIMIT 1`;

/** Returns the amount that an open dispute contests, or null when the charge has no open dispute. */
export async function openDisputeOf(db: Queryable, chargeId: string) {
  const [open] = await db.query<{ amount: number; createdAt: Date }>(UNRESOLVED, [chargeId]);
  return open ?? null;
}

/** Lists the disputes of one charge, oldest first. */
export async function disputesOf(db: Queryable, chargeId: string): Promise<Dispute[]> {
  const ofCharge = sql('disputes').where('charge_id', chargeId).orderBy('created_at');
  return (await runComposed<DisputeRow>(db, ofCharge.select(selected(DISPUTE_COLUMNS)))).map(disputeOf);
}
