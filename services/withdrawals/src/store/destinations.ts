import {
  columnsOf,
  namesOf,
  type Page,
  type Queryable,
  readPage,
  type Slice,
  selected,
  composeSql as sql,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import {
  type Destination,
  type DestinationDraft,
  noSuchDestination,
  type Target,
  targetOf,
} from '../domain/destination.ts';
import { demandSameTarget, type OrderRequest } from '../domain/new-withdrawal.ts';

const TARGET = columnsOf(
  'type, pix_key_type, pix_key, bank_code, branch, account, account_type, holder_name, holder_document',
);
const COLUMNS = [...columnsOf('id, merchant_id, environment'), ...TARGET, ...columnsOf('label, created_at')];

/** The table's own constraints make it one kind of target; the columns of the other one are null. */
type DestinationRow = Destination;

/** The first number keeps these locks apart from any others of this database. */
const LOCK = 'SELECT pg_advisory_xact_lock(10, hashtext($1))';

/** Until the end of `tx` nobody else saves a destination of this merchant. */
export async function lockDestinations(tx: Transaction, { merchantId }: Tenant): Promise<void> {
  await tx.query(LOCK, [merchantId]);
}

const COUNT = `
  SELECT count(*) AS total FROM destinations
  WHERE merchant_id = $1 AND environment = $2 AND deleted_at IS NULL`;

export async function countDestinations(db: Queryable, { merchantId, environment }: Tenant): Promise<number> {
  const [counted] = await db.query<{ total: number }>(COUNT, [merchantId, environment]);
  return counted?.total ?? 0;
}

const LABEL_SAME = `
  UPDATE destinations SET label = coalesce($12, label)
  WHERE merchant_id = $1 AND environment = $2 AND deleted_at IS NULL
    AND (${namesOf(TARGET)}) IS NOT DISTINCT FROM
      ($3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text)
  RETURNING ${COLUMNS}`;

/** The destination that is this target already, with the label if there is one to give. */
export async function labelSameDestination(
  tx: Transaction,
  draft: DestinationDraft,
): Promise<Destination | null> {
  const values = [draft.merchantId, draft.environment, ...valuesIn({ ...draft }, TARGET), draft.label];
  const [row] = await tx.query<DestinationRow>(LABEL_SAME, values);
  return row ? destinationOf(row) : null;
}

const INSERT = `
  INSERT INTO destinations (${namesOf(COLUMNS)})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

export async function insertDestination(tx: Transaction, destination: Destination): Promise<void> {
  await tx.query(INSERT, valuesIn({ ...destination }, COLUMNS));
}

const FIND = `
  SELECT ${COLUMNS} FROM destinations
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL`;

/** Null as well when it was deleted, or is somebody else's. */
export async function findDestination(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<Destination | null> {
  const [row] = await db.query<DestinationRow>(FIND, [id, merchantId, environment]);
  return row ? destinationOf(row) : null;
}

const KNOWN_SINCE = `
  SELECT least(
    (SELECT min(created_at) FROM withdrawals
     WHERE merchant_id = $1 AND environment = $2 AND pix_key = $4 AND pix_key_type = $3
       AND status NOT IN ('DEBITING', 'REFUSED', 'ABANDONED', 'REJECTED', 'FAILED')),
    (SELECT min(created_at) FROM destinations
     WHERE merchant_id = $1 AND environment = $2 AND type = 'PIX' AND pix_key_type = $3 AND pix_key = $4
       AND deleted_at IS NULL)) AS since`;

/** Returns the target of an order, and when its merchant first ordered a payment to its key, or saved it. */
export async function getPayee(
  db: Queryable,
  tenant: Tenant,
  { destinationId, target: ordered }: OrderRequest,
): Promise<{ target: Target; payeeSeenAt: Date[] }> {
  const saved = destinationId ? await findDestination(db, tenant, destinationId) : null;
  const target = destinationId ? saved && targetOf(saved) : ordered;
  if (!target) throw noSuchDestination();
  demandSameTarget(target, ordered);
  const payeeSeenAt = saved ? [saved.createdAt] : [];
  if (target.type === 'PIX') {
    const values = [tenant.merchantId, tenant.environment, target.pixKeyType, target.pixKey];
    const [row] = await db.query<{ since: Date | null }>(KNOWN_SINCE, values);
    if (row?.since) payeeSeenAt.push(row.since);
  }
  return { target, payeeSeenAt };
}

/** One page, newest first. */
export function listDestinations(
  db: Queryable,
  { merchantId, environment }: Tenant,
  slice: Slice,
): Promise<Page<Destination>> {
  const own = sql('destinations').where({ merchant_id: merchantId, environment, deleted_at: null });
  return readPage(db, { matching: own.select(selected(COLUMNS)), itemOf: destinationOf }, slice);
}

const DELETE = `
  UPDATE destinations SET deleted_at = $4
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL
  RETURNING id`;

/** Hides a destination from its merchant; false: there is none. Withdrawals that were ordered to it keep it. */
export async function markDestinationDeleted(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { id, at }: { id: string; at: Date },
): Promise<boolean> {
  const rows = await db.query<{ id: string }>(DELETE, [id, merchantId, environment, at]);
  return rows.length > 0;
}

function destinationOf(row: DestinationRow): Destination {
  const { id, merchantId, environment, label, createdAt } = row;
  return { id, merchantId, environment, label, createdAt, ...targetOf(row) };
}
