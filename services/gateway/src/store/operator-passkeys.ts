import {
  columnsOf,
  namesOf,
  type Page,
  type Queryable,
  readRows,
  type Slice,
  selected,
  composeSql as sql,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import { isTrusted, rowsToSeal, saveSeal, sealOf } from '@plataforma/tables';
import type { Passkey } from '../domain/passkey.ts';

type PasskeyRow = Passkey & { seal: string | null };

const COLUMNS = columnsOf(`
  id, operator_id, credential_id, public_key, counter, transports, name, factor_at, created_at, last_used_at,
  seal`);
/** The passkeys, for a command that seals existing rows. */
export const passkeysToSeal = rowsToSeal('operator_passkeys', COLUMNS);

const FIND = `
  SELECT ${COLUMNS} FROM operator_passkeys WHERE operator_id = $1 AND factor_at = $2 ORDER BY created_at, id`;

/** Returns an operator's passkeys that were added with this second factor and have a valid seal. */
export async function usablePasskeys(
  db: Queryable,
  { operatorId, factorAt }: Pick<Passkey, 'operatorId' | 'factorAt'>,
): Promise<Passkey[]> {
  const rows = await db.query<PasskeyRow>(FIND, [operatorId, factorAt]);
  return rows.filter((row) => isTrusted(db, passkeysToSeal.table, row));
}

export function listPasskeys(db: Queryable, operatorId: string, slice: Slice): Promise<Page<Passkey>> {
  const matching = sql('operator_passkeys').where('operator_id', operatorId).select(selected(COLUMNS));
  return readRows(db, { matching }, slice);
}

const VALUES = COLUMNS.map((_column, at) => `$${at + 1}`);
const INSERT = `
  INSERT INTO operator_passkeys (${namesOf(COLUMNS)}) VALUES (${VALUES}) ON CONFLICT DO NOTHING RETURNING id`;

/** Returns false if the authenticator's key pair is registered already. */
export async function insertPasskey(tx: Transaction, passkey: Passkey): Promise<boolean> {
  const seal = sealOf(tx, passkeysToSeal.table, passkey);
  return (await tx.query(INSERT, valuesIn({ ...passkey, seal }, COLUMNS))).length > 0;
}

const SAVE_USE = `
  UPDATE operator_passkeys SET counter = $2, last_used_at = $3 WHERE id = $1 RETURNING ${COLUMNS}`;

/** Records a use of a passkey whose operator the transaction has locked. */
export async function savePasskeyUse(
  tx: Transaction,
  id: string,
  { counter, now }: { counter: number; now: Date },
): Promise<void> {
  const [row] = await tx.query<PasskeyRow>(SAVE_USE, [id, counter, now]);
  await saveSeal(tx, passkeysToSeal, row);
}

const DELETE =
  'DELETE FROM operator_passkeys WHERE operator_id = $1 AND ($2::uuid IS NULL OR id = $2) RETURNING name';

/** Deletes one passkey of an operator, or all of them. Returns the names of the deleted passkeys. */
export async function deletePasskeys(tx: Transaction, operatorId: string, id?: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(DELETE, [operatorId, id ?? null]);
  return rows.map(({ name }) => name);
}
