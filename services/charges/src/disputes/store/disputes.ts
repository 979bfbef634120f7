import type { Queryable, Transaction } from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import { createQueue, type Doubling, type Leased } from '@plataforma/work';
import type { Dispute, DisputeStatus } from '../domain/dispute.ts';

export const DISPUTE_COLUMNS = [
  'id',
  'charge_id',
  'merchant_id',
  'environment',
  'amount_cents',
  'reason',
  'description',
  'status',
  'deadline',
  'provider_reference',
  'evidence_description',
  'evidence_documents',
  'evidence_sent_at',
  'sequence',
  'created_at',
  'resolved_at',
  'resolution',
  'debt_cents',
] as const;
const COLUMNS = DISPUTE_COLUMNS.join(', ');

export interface DisputeRow {
  id: string;
  charge_id: string;
  merchant_id: string;
  environment: Environment;
  amount_cents: number;
  reason: string;
  description: string;
  status: DisputeStatus;
  deadline: Date;
  provider_reference: string | null;
  evidence_description: string | null;
  evidence_documents: string[] | null;
  evidence_sent_at: Date | null;
  sequence: number;
  created_at: Date;
  resolved_at: Date | null;
  resolution: string | null;
  debt_cents: number | null;
  [column: string]: unknown;
}

const INSERT = `
  INSERT INTO disputes
    (id, charge_id, merchant_id, environment, amount_cents, reason, description, status, deadline,
     provider_reference, sequence, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

export async function insertDispute(tx: Transaction, dispute: Dispute): Promise<void> {
  await tx.query(INSERT, [
    dispute.id,
    dispute.chargeId,
    dispute.merchantId,
    dispute.environment,
    dispute.amount,
    dispute.reason,
    dispute.description,
    dispute.status,
    dispute.deadline,
    dispute.providerReference,
    dispute.sequence,
    dispute.createdAt,
  ]);
}

const FIND_BY_REFERENCE = `SELECT ${COLUMNS} FROM disputes WHERE provider_reference = $1`;

export async function findDisputeByReference(db: Queryable, reference: string): Promise<Dispute | null> {
  return one(await db.query<DisputeRow>(FIND_BY_REFERENCE, [reference]));
}

const FIND_UNDECIDED = `
  SELECT ${COLUMNS} FROM disputes WHERE charge_id = $1 AND status IN ('OPEN', 'UNDER_REVIEW')`;

/** Settled while the charge is locked. */
export async function findUndecidedDispute(tx: Transaction, chargeId: string): Promise<Dispute | null> {
  return one(await tx.query<DisputeRow>(FIND_UNDECIDED, [chargeId]));
}

/** An aggregate, so that the index of undecided disputes is read and not that of ids. */
const OLDEST_UNDECIDED = `
  SELECT min(created_at) AS oldest FROM disputes
  WHERE environment = $1 AND status IN ('OPEN', 'UNDER_REVIEW') AND provider_reference LIKE 'infraction:%'`;

/** When the oldest undecided dispute began that a payer's bank has reported. */
export async function findOldestUndecided(db: Queryable, environment: Environment): Promise<Date | null> {
  return (await db.query<{ oldest: Date | null }>(OLDEST_UNDECIDED, [environment]))[0]?.oldest ?? null;
}

const FIND = `SELECT ${COLUMNS} FROM disputes WHERE id = $1`;

export async function findAnyDispute(db: Queryable, id: string): Promise<Dispute | null> {
  return one(await db.query<DisputeRow>(FIND, [id]));
}

const FIND_OWN = `${FIND} AND merchant_id = $2 AND environment = $3`;

export async function findDispute(db: Queryable, tenant: Tenant, id: string): Promise<Dispute | null> {
  return one(await db.query<DisputeRow>(FIND_OWN, [id, tenant.merchantId, tenant.environment]));
}

const LOCK = `${FIND} FOR UPDATE`;

/** Locks a dispute; a transaction that needs the charge too locks that first. */
export async function lockDispute(tx: Transaction, id: string): Promise<Dispute | null> {
  return one(await tx.query<DisputeRow>(LOCK, [id]));
}

const SAVE = `
  UPDATE disputes
  SET status = $2, sequence = $3, evidence_description = $4, evidence_documents = $5, evidence_sent_at = $6,
    resolved_at = $7, resolution = $8, debt_cents = $9, reason = $10, description = $11, deadline = $12
  WHERE id = $1`;

export async function saveDispute(tx: Transaction, dispute: Dispute): Promise<void> {
  const { id, status, sequence, evidence, resolvedAt, resolution, debt, reason, description, deadline } =
    dispute;
  const sent = [evidence?.description ?? null, evidence?.documents ?? null, evidence?.sentAt ?? null];
  await tx.query(SAVE, [
    id,
    status,
    sequence,
    ...sent,
    resolvedAt,
    resolution,
    debt,
    reason,
    description,
    deadline,
  ]);
}

const FORWARD_AT = 'UPDATE disputes SET forward_at = $2 WHERE id = $1';

/** The time to send the evidence to the provider; null once it has the evidence. */
export async function forwardEvidenceAt(db: Queryable, id: string, at: Date | null): Promise<void> {
  await db.query(FORWARD_AT, [id, at]);
}

const UNDO_AT = 'UPDATE disputes SET undo_at = $2 WHERE id = $1';

/** Sets when the sandbox bank is ordered to move the money of an ended dispute; null once it has. */
export async function endAtBankAt(db: Queryable, id: string, at: Date | null): Promise<void> {
  await db.query(UNDO_AT, [id, at]);
}

/** A claimed dispute whose evidence the provider still needs. */
export type DueForward = Dispute & Leased;

interface DueForwardRow extends DisputeRow {
  forward_token: string | null;
  forward_until: Date | null;
}

/** It is due again a second after its first claim, at last every ten minutes, half of which are left to chance. */
const EVER_MORE_RARELY: Doubling = { kind: 'doubling', firstMs: 1_000, longestMs: 600_000, jitter: 0.5 };

export const dueForwards = createQueue<DueForwardRow>({
  table: 'disputes',
  columns: [...DISPUTE_COLUMNS, 'forward_token', 'forward_until'],
  due: 'forward_at',
  attempts: 'attempts',
  rest: EVER_MORE_RARELY,
  lease: { token: 'forward_token', until: 'forward_until' },
});

/** Ended disputes whose money the sandbox bank has not moved. */
export const dueAtBank = createQueue<{ id: string; undo_attempts: number }>({
  table: 'disputes',
  columns: ['id', 'undo_attempts'],
  due: 'undo_at',
  attempts: 'undo_attempts',
  rest: EVER_MORE_RARELY,
});

export function dueForwardOf(row: DueForwardRow): DueForward {
  return { ...disputeOf(row), leaseToken: row.forward_token, leaseUntil: row.forward_until };
}

function one(rows: readonly DisputeRow[]): Dispute | null {
  return rows[0] ? disputeOf(rows[0]) : null;
}

export function disputeOf(row: DisputeRow): Dispute {
  return {
    id: row.id,
    chargeId: row.charge_id,
    merchantId: row.merchant_id,
    environment: row.environment,
    amount: row.amount_cents,
    reason: row.reason,
    description: row.description,
    status: row.status,
    deadline: row.deadline,
    providerReference: row.provider_reference,
    evidence:
      row.evidence_description === null || row.evidence_sent_at === null
        ? null
        : {
            description: row.evidence_description,
            documents: row.evidence_documents ?? [],
            sentAt: row.evidence_sent_at,
          },
    sequence: row.sequence,
    createdAt: row.created_at,
    resolvedAt: row.resolved_at,
    resolution: row.resolution,
    debt: row.debt_cents,
  };
}
