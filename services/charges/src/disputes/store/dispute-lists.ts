import type { AdminDisputeQuery, DisputeQuery } from '@plataforma/contracts';
import {
  type ComposedQuery,
  type Queryable,
  readPage,
  runComposed,
  composeSql as sql,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { ofAnybody, ofTenant, type Page } from '../../store/owned-rows.ts';
import type { Dispute, ListedDispute } from '../domain/dispute.ts';
import { DISPUTE_COLUMNS, type DisputeRow, disputeOf } from './disputes.ts';

export async function listDisputes(
  db: Queryable,
  tenant: Tenant,
  query: DisputeQuery,
): Promise<Page<ListedDispute>> {
  const matching = ofTenant('disputes', tenant);
  if (query.status) matching.where('status', query.status);
  return readDisputes(db, matching, query);
}

/** One page of all merchants' disputes; `overdue` are those nobody has decided although their deadline is past. */
export async function listAllDisputes(
  db: Queryable,
  query: AdminDisputeQuery,
  now: Date,
): Promise<Page<ListedDispute>> {
  const matching = ofAnybody('disputes', query);
  if (query.overdue) matching.whereIn('status', ['OPEN', 'UNDER_REVIEW']).where('deadline', '<', now);
  return readDisputes(db, matching, query);
}

const LISTED_DISPUTE = [
  ...DISPUTE_COLUMNS.filter((column) => column !== 'evidence_documents'),
  sql.raw('cardinality(evidence_documents) AS document_count'),
];

async function readDisputes(
  db: Queryable,
  matching: ComposedQuery,
  query: DisputeQuery,
): Promise<Page<ListedDispute>> {
  const { rows, total } = await readPage<DisputeRow & { document_count: number | null }>(
    db,
    matching.select(LISTED_DISPUTE),
    query,
  );
  const items = rows.map((row) => {
    const { evidence, ...dispute } = disputeOf(row);
    if (!evidence) return { ...dispute, evidence };
    const { description, sentAt } = evidence;
    return { ...dispute, evidence: { description, documentCount: row.document_count ?? 0, sentAt } };
  });
  return { items, total };
}

/** The disputes of one charge, oldest first. */
export async function disputesOf(db: Queryable, chargeId: string): Promise<Dispute[]> {
  const ofCharge = sql('disputes').where('charge_id', chargeId).orderBy('created_at');
  return (await runComposed<DisputeRow>(db, ofCharge.select(DISPUTE_COLUMNS))).map(disputeOf);
}
