import {
  type Page,
  type Queryable,
  readRows,
  type Slice,
  composeSql as sql,
  type Transaction,
} from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import type { ActiveOperator } from '@plataforma/service';
import type { Operator } from '../domain/operator.ts';

/** The columns of an operator without the password. */
export const OPERATOR_COLUMNS = `
  id, email, role, is_active AS "isActive", password_version AS "passwordVersion", created_at AS "createdAt",
  created_by AS "createdBy"`;

const FIND = `SELECT ${OPERATOR_COLUMNS} FROM operators WHERE id = $1`;

export async function findOperator(db: Queryable, id: string): Promise<Operator | null> {
  const [operator] = await db.query<Operator>(FIND, [id]);
  return operator ?? null;
}

type WithHash = Operator & { passwordHash: string };

const FIND_TO_LOG_IN = {
  email: `SELECT ${OPERATOR_COLUMNS}, password_hash AS "passwordHash" FROM operators WHERE email = $1`,
  id: `SELECT ${OPERATOR_COLUMNS}, password_hash AS "passwordHash" FROM operators WHERE id = $1`,
};

export async function findOperatorToLogIn(
  db: Queryable,
  by: keyof typeof FIND_TO_LOG_IN,
  value: string,
): Promise<WithHash | null> {
  const [operator] = await db.query<WithHash>(FIND_TO_LOG_IN[by], [value]);
  return operator ?? null;
}

/** Locks rows in the order of their ids, so that two changes at the same time cannot deadlock. */
const LOCK_ADMINS_AND = `
  SELECT ${OPERATOR_COLUMNS} FROM operators WHERE (role = 'ADMIN' AND is_active) OR id = $1
  ORDER BY id FOR NO KEY UPDATE`;

/** Locks and returns all active ADMINs and, if it exists, the operator `id`. */
export function lockAdminsAnd(tx: Transaction, id: string): Promise<Operator[]> {
  return tx.query<Operator>(LOCK_ADMINS_AND, [id]);
}

const INSERT = `
  INSERT INTO operators (id, email, password_hash, role, is_active, created_at, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

export async function insertOperator(
  tx: Transaction,
  { id, email, role, isActive, createdAt, createdBy }: Operator,
  passwordHash: string,
): Promise<void> {
  await tx.query(INSERT, [id, email, passwordHash, role, isActive, createdAt, createdBy]);
}

const SAVE = 'UPDATE operators SET role = $2, is_active = $3 WHERE id = $1';

export async function saveOperator(tx: Transaction, { id, role, isActive }: Operator): Promise<void> {
  await tx.query(SAVE, [id, role, isActive]);
}

const CHANGE_PASSWORD = `
  UPDATE operators SET password_hash = $3, password_version = password_version + 1
  WHERE id = $1 AND password_version = $2 AND is_active RETURNING ${OPERATOR_COLUMNS}`;

/**
 * Changes the password. Returns null if the password was changed after it was verified, or if the operator is
 * deactivated.
 */
export async function changePassword(
  tx: Transaction,
  { id, passwordVersion }: Operator,
  passwordHash: string,
): Promise<Operator | null> {
  const [operator] = await tx.query<Operator>(CHANGE_PASSWORD, [id, passwordVersion, passwordHash]);
  return operator ?? null;
}

export function listOperators(db: Queryable, slice: Slice): Promise<Page<Operator>> {
  return readRows(db, { matching: sql('operators').select(sql.raw(OPERATOR_COLUMNS)) }, slice);
}

/**
 * Counts deactivated operators too, so that an installation with two operators never has a single one again.
 * The service's role can change no row of the audit log.
 */
const HAS_SECOND = `
  SELECT FROM operators WHERE created_at < now() - interval '1 day'
    AND id <> (SELECT id FROM operators ORDER BY created_at, id LIMIT 1)
  UNION ALL
  SELECT FROM audit_log WHERE action = 'operator.create' AND at < now() - interval '1 day'`;
const ACTIVE = `
  SELECT id, role, created_at AS "createdAt", created_by AS "createdBy",
    $1::boolean OR NOT EXISTS (${HAS_SECOND}) AS "isSingle"
  FROM operators WHERE is_active ORDER BY id`;

/**
 * Returns the operators with access. `isSingle` is true by configuration, or until a day after the second
 * operator was created.
 */
export function activeOperators(
  db: Queryable,
  { SINGLE_OPERATOR }: { SINGLE_OPERATOR: boolean },
): Promise<ActiveOperator[]> {
  return db.query<ActiveOperator>(ACTIVE, [SINGLE_OPERATOR]);
}

const INSERT_FIRST = `
  INSERT INTO operators (id, email, password_hash, role, created_at)
  SELECT $1, $2, $3, 'ADMIN', now() WHERE NOT EXISTS (SELECT 1 FROM operators)
  ON CONFLICT DO NOTHING`;

export async function insertFirstOperator(db: Queryable, email: string, passwordHash: string): Promise<void> {
  await db.query(INSERT_FIRST, [newId(), email, passwordHash]);
}

const HAS_ANY = 'SELECT 1 FROM operators LIMIT 1';

export async function hasOperators(db: Queryable): Promise<boolean> {
  return (await db.query(HAS_ANY)).length > 0;
}
