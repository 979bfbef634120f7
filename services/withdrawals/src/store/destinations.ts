import {
  columnsOf,
  fieldsOf,
  namesOf,
  type Page,
  type Queryable,
  readPage,
  type SealedTable,
  type Slice,
  selected,
  composeSql as sql,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import { bankDayOf, type Tenant } from '@plataforma/kernel';
import { requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import {
  type Destination,
  type DestinationDraft,
  noSuchDestination,
  type Payee,
  payeeOf,
} from '../domain/destination.ts';
import { requireSamePayee, type WithdrawalRequest } from '../domain/new-withdrawal.ts';

const PAYEE = columnsOf(
  'type, pix_key_type, pix_key, bank_code, branch, account, account_type, holder_name, holder_document',
);
const COLUMNS = [
  ...columnsOf('id, merchant_id, environment'),
  ...PAYEE,
  ...columnsOf('label, created_at, seal'),
];

/** The label and the deletion do not move money and have no seal. */
const sealedDestinations: SealedTable = {
  name: 'destinations',
  fields: ['merchantId', 'environment', ...fieldsOf(PAYEE), 'createdAt'],
};
/** The destinations, for a command that seals existing rows. */
export const destinationsToSeal: SealedRows = {
  table: sealedDestinations,
  ...{ key: 'id', keyType: 'uuid', columns: COLUMNS },
};

/**
 * A row of the table, whose constraints allow either a Pix key or a bank account. The columns of the absent
 * kind are null.
 */
type DestinationRow = Destination & { seal: string | null };

/** The number 10 distinguishes these locks from other advisory locks of this database. */
const LOCK = 'SELECT pg_advisory_xact_lock(10, hashtext($1))';

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
    AND (${namesOf(PAYEE)}) IS NOT DISTINCT FROM
      ($3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text)
  RETURNING ${COLUMNS}`;

/**
 * Returns the saved destination with this payee, or null. Changes the destination's label if the draft has a
 * label.
 */
export async function labelSameDestination(
  tx: Transaction,
  draft: DestinationDraft,
): Promise<Destination | null> {
  const values = [draft.merchantId, draft.environment, ...valuesIn({ ...draft }, PAYEE), draft.label];
  const [row] = await tx.query<DestinationRow>(LABEL_SAME, values);
  return row ? destinationOf(row) : null;
}

const INSERT = `
  INSERT INTO destinations (${namesOf(COLUMNS)})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

export async function insertDestination(tx: Transaction, destination: Destination): Promise<void> {
  const seal = sealOf(tx, sealedDestinations, destination);
  await tx.query(INSERT, valuesIn({ ...destination, seal }, COLUMNS));
}

const FIND = `
  SELECT ${COLUMNS} FROM destinations
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL`;

/**
 * Finds a destination of the merchant. Returns null if it is deleted or belongs to a different merchant.
 * Throws INVALID_STATE if the row has no valid seal.
 */
export async function findDestination(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<Destination | null> {
  const [row] = await db.query<DestinationRow>(FIND, [id, merchantId, environment]);
  if (!row) return null;
  requireTrusted(db, sealedDestinations, row);
  return destinationOf(row);
}

/** A payee is new if neither a withdrawal of an earlier day nor an operator-approved one has paid it. */
const KNOWN_SINCE = `
  SELECT NOT EXISTS (
    SELECT FROM withdrawals
    WHERE merchant_id = $1 AND environment = $2 AND pix_key = $4 AND pix_key_type = $3
      AND status NOT IN ('DEBITING', 'REFUSED', 'ABANDONED', 'REJECTED', 'FAILED')
      AND (created_at < $5 OR first_approver IS NOT NULL)
      AND num_nonnulls(first_approver, second_approver) >= approvals_needed) AS "isNew",
  least(
    (SELECT min(created_at) FROM withdrawals
     WHERE merchant_id = $1 AND environment = $2 AND pix_key = $4 AND pix_key_type = $3
       AND status NOT IN ('DEBITING', 'REFUSED', 'ABANDONED', 'REJECTED', 'FAILED')),
    (SELECT min(created_at) FROM destinations
     WHERE merchant_id = $1 AND environment = $2 AND type = 'PIX' AND pix_key_type = $3 AND pix_key = $4
       AND deleted_at IS NULL)) AS since`;

export interface KnownPayee {
  payee: Payee;
  /** The times when the merchant saved the payee and first withdrew to it. */
  payeeKnownSince: Date[];
  hasNewPayee: boolean;
}

/**
 * Returns the payee, the times since which it is known, and whether it is new on the day of `now`. Throws
 * NOT_FOUND for an unknown destination, and VALIDATION_ERROR if the request also names a different Pix key.
 */
export async function getPayee(
  db: Queryable,
  tenant: Tenant,
  { destinationId, payee: requested }: WithdrawalRequest,
  now: Date,
): Promise<KnownPayee> {
  const saved = destinationId ? await findDestination(db, tenant, destinationId) : null;
  const payee = destinationId ? saved && payeeOf(saved) : requested;
  if (!payee) throw noSuchDestination();
  requireSamePayee(payee, requested);
  const payeeKnownSince = saved ? [saved.createdAt] : [];
  // A bank transfer always needs an approval, so the limit of new payees does not apply.
  if (payee.type !== 'PIX') return { payee, payeeKnownSince, hasNewPayee: false };
  const { merchantId, environment } = tenant;
  const values = [merchantId, environment, payee.pixKeyType, payee.pixKey, bankDayOf(now).from];
  const [row] = await db.query<{ since: Date | null; isNew: boolean }>(KNOWN_SINCE, values);
  if (row?.since) payeeKnownSince.push(row.since);
  return { payee, payeeKnownSince, hasNewPayee: row?.isNew ?? true };
}

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

/**
 * Marks a destination as deleted. Returns false if it does not exist. Existing withdrawals still refer to the
 * row.
 */
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
  return { id, merchantId, environment, label, createdAt, ...payeeOf(row) };
}
