import {
  type Page,
  type Queryable,
  readPage,
  type Slice,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Destination, DestinationDraft, Target } from '../domain/destination.ts';

const TARGET_COLUMNS =
  'type, pix_key_type, pix_key, bank_code, branch, account, account_type, holder_name, holder_document';
const COLUMNS = `id, merchant_id, environment, ${TARGET_COLUMNS}, label, created_at`;

type PixColumns = {
  type: 'PIX';
  pix_key_type: Extract<Target, { type: 'PIX' }>['pixKeyType'];
  pix_key: string;
};

type BankColumns = {
  type: 'BANK_ACCOUNT';
  bank_code: string;
  branch: string;
  account: string;
  account_type: Extract<Target, { type: 'BANK_ACCOUNT' }>['accountType'];
  holder_name: string;
  holder_document: string;
};

/** The table's own constraints make it one or the other. */
type DestinationRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  label: string | null;
  created_at: Date;
} & (PixColumns | BankColumns);

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
    AND (${TARGET_COLUMNS}) IS NOT DISTINCT FROM
      ($3::text, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text)
  RETURNING ${COLUMNS}`;

/** The destination that is this target already, with the label if there is one to give. */
export async function labelSameDestination(
  tx: Transaction,
  { merchantId, environment, ...draft }: DestinationDraft,
): Promise<Destination | null> {
  const values = [merchantId, environment, ...targetValues(draft), draft.label];
  const [row] = await tx.query<DestinationRow>(LABEL_SAME, values);
  return row ? destinationOf(row) : null;
}

const INSERT = `
  INSERT INTO destinations (${COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

export async function insertDestination(tx: Transaction, destination: Destination): Promise<void> {
  const { id, merchantId, environment, label, createdAt } = destination;
  await tx.query(INSERT, [id, merchantId, environment, ...targetValues(destination), label, createdAt]);
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

/** One page, newest first. */
export function listDestinations(
  db: Queryable,
  { merchantId, environment }: Tenant,
  slice: Slice,
): Promise<Page<Destination>> {
  const own = sql('destinations').where({ merchant_id: merchantId, environment, deleted_at: null });
  return readPage(db, { matching: own.select(sql.raw(COLUMNS)), itemOf: destinationOf }, slice);
}

const DELETE = `
  UPDATE destinations SET deleted_at = $4
  WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND deleted_at IS NULL
  RETURNING id`;

/** Whether there was such a destination. Its row stays. */
export async function markDestinationDeleted(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { id, at }: { id: string; at: Date },
): Promise<boolean> {
  const rows = await db.query<{ id: string }>(DELETE, [id, merchantId, environment, at]);
  return rows.length > 0;
}

function targetValues(target: Target): (string | null)[] {
  if (target.type === 'PIX') {
    return [target.type, target.pixKeyType, target.pixKey, ...Array<null>(6).fill(null)];
  }
  const { type, bankCode, branch, account, accountType, holderName, holderDocument } = target;
  return [type, null, null, bankCode, branch, account, accountType, holderName, holderDocument];
}

function destinationOf(row: DestinationRow): Destination {
  const saved = {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    label: row.label,
    createdAt: row.created_at,
  };
  if (row.type === 'PIX') {
    return { ...saved, type: row.type, pixKeyType: row.pix_key_type, pixKey: row.pix_key };
  }
  return {
    ...saved,
    type: row.type,
    bankCode: row.bank_code,
    branch: row.branch,
    account: row.account,
    accountType: row.account_type,
    holderName: row.holder_name,
    holderDocument: row.holder_document,
  };
}
