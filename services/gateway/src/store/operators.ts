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
import { newId } from '@plataforma/kernel';
import type { ActiveOperator } from '@plataforma/service';
import { isTrusted, rowsToSeal, saveSeal, sealOf } from '@plataforma/tables';
import type { Operator } from '../domain/operator.ts';

const COLUMNS = columnsOf(`
  id, email, role, is_active, password_version, created_at, created_by, factor_at, password_hash, seal`);
/** The operators, for a command that seals existing rows. */
export const operatorsToSeal = rowsToSeal('operators', COLUMNS);

type WithHash = Operator & { passwordHash: string };
type OperatorRow = WithHash & { seal: string | null };

function isSealed(db: Queryable): (row: OperatorRow) => boolean {
  return (row) => isTrusted(db, operatorsToSeal.table, row);
}

function operatorOf({ passwordHash: _hash, seal: _seal, ...operator }: OperatorRow): Operator {
  return operator;
}

const FIND = `SELECT ${COLUMNS} FROM operators WHERE id = $1`;
const LOCK = `${FIND} FOR NO KEY UPDATE`;

/** Finds an operator. Returns null if the operator has no valid seal. */
export async function findOperator(db: Queryable, id: string): Promise<Operator | null> {
  const [operator] = (await db.query<OperatorRow>(FIND, [id])).filter(isSealed(db));
  return operator ? operatorOf(operator) : null;
}

/** Locks an operator. Returns null if the operator has no valid seal. */
export async function lockOperator(tx: Transaction, id: string): Promise<Operator | null> {
  const [operator] = (await tx.query<OperatorRow>(LOCK, [id])).filter(isSealed(tx));
  return operator ? operatorOf(operator) : null;
}

const FIND_TO_LOG_IN = { email: `SELECT ${COLUMNS} FROM operators WHERE email = $1`, id: FIND };

/** Finds an operator with the password. Returns null if the operator has no valid seal. */
export async function findOperatorToLogIn(
  db: Queryable,
  by: keyof typeof FIND_TO_LOG_IN,
  value: string,
): Promise<WithHash | null> {
  const [operator] = (await db.query<OperatorRow>(FIND_TO_LOG_IN[by], [value])).filter(isSealed(db));
  return operator ?? null;
}

/** Locks rows in the order of their ids, so that two changes at the same time cannot deadlock. */
const LOCK_ADMINS_AND = `
  SELECT ${COLUMNS} FROM operators WHERE (role = 'ADMIN' AND is_active) OR id = $1
  ORDER BY id FOR NO KEY UPDATE`;

/**
 * Locks and returns all active ADMINs and, if it exists, the operator `id`. Omits operators without a valid
 * seal.
 */
export async function lockAdminsAnd(tx: Transaction, id: string): Promise<Operator[]> {
  const rows = await tx.query<OperatorRow>(LOCK_ADMINS_AND, [id]);
  return rows.filter(isSealed(tx)).map(operatorOf);
}

const VALUES = COLUMNS.map((_column, at) => `$${at + 1}`);
const INSERT = `INSERT INTO operators (${namesOf(COLUMNS)}) VALUES (${VALUES})`;

export async function insertOperator(
  tx: Transaction,
  operator: Operator,
  passwordHash: string,
): Promise<void> {
  await tx.query(INSERT, valuesOf(tx, { ...operator, passwordHash }));
}

/** Returns the values of a new operator's columns, with the seal. */
function valuesOf(db: Queryable, operator: WithHash): unknown[] {
  return valuesIn({ ...operator, seal: sealOf(db, operatorsToSeal.table, operator) }, COLUMNS);
}

const SAVE = `UPDATE operators SET role = $2, is_active = $3 WHERE id = $1 RETURNING ${COLUMNS}`;

/** Saves the role and the access of an operator whom the transaction has locked. */
export async function saveOperator(tx: Transaction, { id, role, isActive }: Operator): Promise<void> {
  const [row] = await tx.query<OperatorRow>(SAVE, [id, role, isActive]);
  await saveSeal(tx, operatorsToSeal, row);
}

const CHANGE_PASSWORD = `
  UPDATE operators SET password_hash = $3, password_version = password_version + 1
  WHERE id = $1 AND password_version = $2 AND is_active RETURNING ${COLUMNS}`;

/**
 * Changes the password. Returns null if the password was changed after it was verified, or if the operator is
 * deactivated or has no valid seal.
 */
export async function changePassword(
  tx: Transaction,
  { id, passwordVersion }: Operator,
  passwordHash: string,
): Promise<Operator | null> {
  if (!(await lockOperator(tx, id))) return null;
  const [operator] = await tx.query<OperatorRow>(CHANGE_PASSWORD, [id, passwordVersion, passwordHash]);
  await saveSeal(tx, operatorsToSeal, operator);
  return operator ? operatorOf(operator) : null;
}

const SAVE_FACTOR_AT = `UPDATE operators SET factor_at = $2 WHERE id = $1 RETURNING ${COLUMNS}`;

/**
 * Records when the operator, whom the transaction has locked, confirmed the present second factor. Null: the
 * operator has none.
 */
export async function saveFactorTime(tx: Transaction, id: string, factorAt: Date | null): Promise<void> {
  const [row] = await tx.query<OperatorRow>(SAVE_FACTOR_AT, [id, factorAt]);
  await saveSeal(tx, operatorsToSeal, row);
}

export function listOperators(db: Queryable, slice: Slice): Promise<Page<Operator>> {
  return readPage(db, { matching: sql('operators').select(selected(COLUMNS)), itemOf: operatorOf }, slice);
}

/**
 * Counts deactivated operators too, so that an installation with two operators never has a single one again.
 * The audit log also counts, because the service's role can't change its rows.
 */
const HAS_SECOND = `
  SELECT FROM operators WHERE created_at < now() - interval '1 day'
    AND id <> (SELECT id FROM operators ORDER BY created_at, id LIMIT 1)
  UNION ALL
  SELECT FROM audit_log WHERE action = 'operator.create' AND at < now() - interval '1 day'`;
const ACTIVE = `
  SELECT ${COLUMNS}, $1::boolean OR NOT EXISTS (${HAS_SECOND}) AS "isSingle"
  FROM operators WHERE is_active ORDER BY id`;

/**
 * Returns the operators with access. `isSingle` is true by configuration, or until a day after the second
 * operator was created. Omits operators without a valid seal.
 */
export async function activeOperators(
  db: Queryable,
  { SINGLE_OPERATOR }: { SINGLE_OPERATOR: boolean },
): Promise<ActiveOperator[]> {
  const rows = await db.query<OperatorRow & { isSingle: boolean }>(ACTIVE, [SINGLE_OPERATOR]);
  return rows
    .filter(({ isSingle: _isSingle, ...row }) => isSealed(db)(row))
    .map(({ id, role, createdAt, createdBy, isSingle }) => ({ id, role, createdAt, createdBy, isSingle }));
}

const INSERT_FIRST = `
  INSERT INTO operators (${namesOf(COLUMNS)})
  SELECT ${VALUES} WHERE NOT EXISTS (SELECT 1 FROM operators)
  ON CONFLICT DO NOTHING`;

export async function insertFirstOperator(db: Queryable, email: string, passwordHash: string): Promise<void> {
  const access = {
    role: 'ADMIN',
    isActive: true,
    passwordVersion: 0,
    createdBy: null,
    factorAt: null,
  } as const;
  const operator = { id: newId(), email, ...access, createdAt: new Date() };
  await db.query(INSERT_FIRST, valuesOf(db, { ...operator, passwordHash }));
}

const HAS_ANY = 'SELECT 1 FROM operators LIMIT 1';

export async function hasOperators(db: Queryable): Promise<boolean> {
  return (await db.query(HAS_ANY)).length > 0;
}
