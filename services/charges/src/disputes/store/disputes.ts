import {
  columnsOf,
  fieldsOf,
  namesOf,
  type Queryable,
  type SealedTable,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import { requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import { createQueue, type Doubling, type Leased } from '@plataforma/work';
import { type Dispute, noSuchDispute } from '../domain/dispute.ts';

export const DISPUTE_COLUMNS = columnsOf(`
  id, charge_id, merchant_id, environment, amount_cents AS amount, reason, description, status, deadline,
  provider_reference, evidence_description, evidence_documents, evidence_sent_at, sequence, created_at,
  resolved_at, resolution, debt_cents AS debt, opened_by, seal`);

const sealedDisputes: SealedTable = {
  name: 'disputes',
  fields: fieldsOf(DISPUTE_COLUMNS).filter((field) => field !== 'id' && field !== 'seal'),
};
/** The description of disputes for a command that seals existing rows. */
export const disputesToSeal: SealedRows = {
  table: sealedDisputes,
  ...{ key: 'id', keyType: 'uuid', columns: DISPUTE_COLUMNS },
};

/** Throws INVALID_STATE if the stored dispute has no valid seal, so that no order follows. */
export function requireDisputeSeal(db: Queryable, dispute: Dispute): void {
  requireTrusted(db, sealedDisputes, rowOf(dispute));
}

const SELECT = `SELECT ${DISPUTE_COLUMNS.join(', ')} FROM disputes WHERE`;

export type DisputeRow = Omit<Dispute, 'evidence'> & {
  evidenceDescription: string | null;
  evidenceDocuments: string[] | null;
  evidenceSentAt: Date | null;
};

const NAMES = namesOf(DISPUTE_COLUMNS);
const INSERT = `
  INSERT INTO disputes (${NAMES.join(', ')}) VALUES (${NAMES.map((_, i) => `$${i + 1}`).join(', ')})`;

export async function insertDispute(tx: Transaction, dispute: Dispute): Promise<void> {
  await tx.query(INSERT, valuesIn(sealedRowOf(tx, dispute), DISPUTE_COLUMNS));
}

async function find(db: Queryable, condition: string, values: readonly unknown[]): Promise<Dispute | null> {
  const [row] = await db.query<DisputeRow>(`${SELECT} ${condition}`, values);
  return row ? disputeOf(row) : null;
}

export function findDisputeByReference(db: Queryable, reference: string): Promise<Dispute | null> {
  return find(db, 'provider_reference = $1', [reference]);
}

/**
 * Finds the undecided dispute of a charge. The caller must hold the row lock of the charge, so that the
 * result stays true.
 */
export function findUndecidedDispute(tx: Transaction, chargeId: string): Promise<Dispute | null> {
  return find(tx, "charge_id = $1 AND status IN ('OPEN', 'UNDER_REVIEW')", [chargeId]);
}

/** `min` makes PostgreSQL use the index of undecided disputes instead of the index of ids. */
const OLDEST_UNDECIDED = `
  SELECT min(created_at) AS oldest FROM disputes
  WHERE environment = $1 AND status IN ('OPEN', 'UNDER_REVIEW') AND provider_reference LIKE 'infraction:%'`;

/** Returns the time at which the oldest undecided dispute from a payer's bank began. */
export async function findOldestUndecided(db: Queryable, environment: Environment): Promise<Date | null> {
  return (await db.query<{ oldest: Date | null }>(OLDEST_UNDECIDED, [environment]))[0]?.oldest ?? null;
}

export function findAnyDispute(db: Queryable, id: string): Promise<Dispute | null> {
  return find(db, 'id = $1', [id]);
}

const OWN = 'id = $1 AND merchant_id = $2 AND environment = $3';

/** Returns a merchant's dispute. Throws NOT_FOUND when the merchant has no dispute with this id. */
export async function getDispute(db: Queryable, tenant: Tenant, id: string): Promise<Dispute> {
  return requireDispute(await find(db, OWN, [id, tenant.merchantId, tenant.environment]));
}

const LOCK = `${SELECT} id = $1 FOR UPDATE`;

/**
 * Locks an existing dispute. A transaction that also needs the charge locks the charge first. Throws
 * INVALID_STATE if the dispute has no valid seal.
 */
export async function lockDispute(tx: Transaction, id: string): Promise<Dispute> {
  const [row] = await tx.query<DisputeRow>(LOCK, [id]);
  if (row) requireTrusted(tx, sealedDisputes, row);
  return requireDispute(row ? disputeOf(row) : null);
}

const SAVED = columnsOf(`
  status, sequence, evidence_description, evidence_documents, evidence_sent_at, resolved_at, resolution,
  debt_cents AS debt, reason, description, deadline, seal`);
const SAVE = `
  UPDATE disputes SET ${namesOf(SAVED)
    .map((name, i) => `${name} = $${i + 2}`)
    .join(', ')} WHERE id = $1`;

export async function saveDispute(tx: Transaction, dispute: Dispute): Promise<void> {
  await tx.query(SAVE, [dispute.id, ...valuesIn(sealedRowOf(tx, dispute), SAVED)]);
}

const FORWARD_AT = 'UPDATE disputes SET forward_at = $2 WHERE id = $1';

/**
 * Sets the time at which the scheduler sends the evidence to the provider. With null, the evidence is not
 * sent.
 */
export async function forwardEvidenceAt(db: Queryable, id: string, at: Date | null): Promise<void> {
  await db.query(FORWARD_AT, [id, at]);
}

const UNDO_AT = 'UPDATE disputes SET undo_at = $2 WHERE id = $1';

/**
 * Sets the time at which the scheduler orders the sandbox bank to move the money of an ended dispute. With
 * null, the bank gets no further order.
 */
export async function endAtBankAt(db: Queryable, id: string, at: Date | null): Promise<void> {
  await db.query(UNDO_AT, [id, at]);
}

/** A dispute whose evidence must be sent to the provider, with the lease of this process. */
export type DueForward = Dispute & Leased;

type DueForwardRow = DisputeRow & Leased;

/** The delay doubles from one second to ten minutes, and half of each delay is random. */
const EVER_MORE_RARELY: Doubling = { kind: 'doubling', firstMs: 1_000, longestMs: 600_000, jitter: 0.5 };

export const dueForwards = createQueue<DueForwardRow>({
  table: 'disputes',
  columns: [...DISPUTE_COLUMNS, ...columnsOf('forward_token AS leaseToken, forward_until AS leaseUntil')],
  due: 'forward_at',
  attempts: 'attempts',
  backoff: EVER_MORE_RARELY,
  lease: { token: 'forward_token', until: 'forward_until' },
});

/** The queue of ended disputes whose money the sandbox bank has not moved yet. */
export const dueAtBank = createQueue<{ id: string; attempts: number }>({
  table: 'disputes',
  columns: ['id', 'undo_attempts AS attempts'],
  due: 'undo_at',
  attempts: 'undo_attempts',
  backoff: EVER_MORE_RARELY,
});

function requireDispute(dispute: Dispute | null): Dispute {
  if (!dispute) throw noSuchDispute();
  return dispute;
}

function sealedRowOf(db: Queryable, dispute: Dispute) {
  const row = rowOf(dispute);
  return { ...row, seal: sealOf(db, sealedDisputes, row) };
}

function rowOf({ evidence, ...dispute }: Dispute) {
  const { description, documents, sentAt } = evidence ?? {};
  return {
    ...dispute,
    evidenceDescription: description,
    evidenceDocuments: documents,
    evidenceSentAt: sentAt,
  };
}

export function disputeOf<Row extends DisputeRow>(row: Row) {
  const { evidenceDescription: description, evidenceDocuments, evidenceSentAt: sentAt, ...dispute } = row;
  const evidence =
    description === null || sentAt === null
      ? null
      : { description, documents: evidenceDocuments ?? [], sentAt };
  return { ...dispute, evidence };
}
