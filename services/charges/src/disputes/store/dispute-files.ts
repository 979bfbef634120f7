import {
  columnsOf,
  type Queryable,
  type Row,
  type SealedSecret,
  type SecretBox,
  type Transaction,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { type EvidenceFile, noSuchFile } from '../domain/evidence-file.ts';

const FILE_COLUMNS = columnsOf('id, dispute_id, name, type, size_bytes AS size, created_at');
const COLUMNS = FILE_COLUMNS.map((column) => `f.${column}`).join(', ');

const INSERT = `
  INSERT INTO dispute_files (id, dispute_id, name, type, size_bytes, created_at, sealing_key_id, sealed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

export async function insertFile(tx: Transaction, file: EvidenceFile, sealed: SealedSecret): Promise<void> {
  const { id, disputeId, name, type, size, createdAt } = file;
  await tx.query(INSERT, [id, disputeId, name, type, size, createdAt, sealed.keyId, sealed.sealed]);
}

const OF_DISPUTE = `SELECT ${COLUMNS} FROM dispute_files f WHERE dispute_id = $1 ORDER BY id`;

/**
 * Lists the files of a dispute, oldest first. The list cannot change while the caller holds the row lock of
 * the dispute.
 */
export function filesOf(db: Queryable, disputeId: string): Promise<EvidenceFile[]> {
  return db.query<EvidenceFile & Row>(OF_DISPUTE, [disputeId]);
}

/** The first number of the advisory lock separates quota locks from all other locks in this database. */
const LOCK_BYTES = 'SELECT pg_advisory_xact_lock(35, hashtext($1))';

/** Locks the merchant's quota, so that no other transaction adds a file before the end of `tx`. */
export async function lockBytes(tx: Transaction, { merchantId, environment }: Tenant): Promise<void> {
  await tx.query(LOCK_BYTES, [`${merchantId} ${environment}`]);
}

const BYTES = `
  SELECT coalesce(sum(f.size_bytes), 0)::bigint AS total FROM dispute_files f JOIN disputes d
  ON d.id = dispute_id
  WHERE d.merchant_id = $1 AND d.environment = $2`;

export async function bytesOfTenant(db: Queryable, { merchantId, environment }: Tenant): Promise<number> {
  const [summed] = await db.query<{ total: number }>(BYTES, [merchantId, environment]);
  return Number(summed?.total ?? 0);
}

const FIND = `
  SELECT ${COLUMNS} FROM dispute_files f JOIN disputes d ON d.id = dispute_id
  WHERE f.id = $1 AND d.merchant_id = $2 AND d.environment = $3`;

export async function getFile(db: Queryable, tenant: Tenant, id: string): Promise<EvidenceFile> {
  return requireFile(await db.query<EvidenceFile & Row>(FIND, [id, tenant.merchantId, tenant.environment]));
}

const FIND_ANY = `SELECT ${COLUMNS} FROM dispute_files f WHERE id = $1`;

export async function getAnyFile(db: Queryable, id: string): Promise<EvidenceFile> {
  return requireFile(await db.query<EvidenceFile & Row>(FIND_ANY, [id]));
}

function requireFile([file]: EvidenceFile[]): EvidenceFile {
  if (!file) throw noSuchFile();
  return file;
}

/**
 * The database driver decodes a piece of this size in two milliseconds. A whole file would block the event
 * loop for forty milliseconds.
 */
const PIECE_BYTES = 128 * 1024;

const PIECE = `
  SELECT sealing_key_id AS "keyId", substring(sealed FROM $2 FOR ${PIECE_BYTES}) AS sealed
  FROM dispute_files WHERE id = $1`;

export interface OpenFile {
  database: Queryable;
  /** Encrypts and decrypts files; null when disputes accept no files. */
  fileBox: SecretBox | null;
}

/** Thrown when no configured key decrypts the file, or when its bytes have changed. */
export class FileNotOpened extends Error {
  constructor(id: string, cause: unknown) {
    super(`no key opens the file ${id}`, { cause });
    this.name = 'FileNotOpened';
  }
}

/** Reads and decrypts a file. Throws FileNotOpened if no key decrypts it. */
export async function openFile({ database, fileBox }: OpenFile, id: string): Promise<Buffer> {
  const readPiece = async (from: number): Promise<SealedSecret> => {
    const [piece] = await database.query<SealedSecret & Row>(PIECE, [id, from + 1]);
    if (!piece) throw noSuchFile();
    return piece;
  };
  const first = await readPiece(0);
  if (!fileBox) throw new FileNotOpened(id, new Error('SEALING_KEYS is not set'));
  const opening = orNotOpened(id, () => fileBox.openPieces(first, id));
  for (let at = PIECE_BYTES, last = first; last.sealed.length === PIECE_BYTES; at += PIECE_BYTES) {
    last = await readPiece(at);
    // The file was encrypted again between two reads, so the pieces do not belong together. Read the file
    // again from its start.
    if (last.keyId !== first.keyId) return openFile({ database, fileBox }, id);
    opening.add(last.sealed);
  }
  return orNotOpened(id, opening.end);
}

function orNotOpened<T>(id: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new FileNotOpened(id, error);
  }
}

export interface StoredFile extends SealedSecret {
  id: string;
}

const LOCK_SEALED_WITH = `
  SELECT id, sealing_key_id AS "keyId", sealed FROM dispute_files
  WHERE sealing_key_id = ANY ($1) AND id > $2 ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * Locks the next file that is encrypted with one of these keys. Skips files that another transaction has
 * locked.
 */
export async function lockSealedWith(
  tx: Transaction,
  keyIds: readonly string[],
  after: string,
): Promise<StoredFile | null> {
  const [row] = await tx.queryUnprepared<StoredFile & Row>(LOCK_SEALED_WITH, [keyIds, after]);
  return row ?? null;
}

const SAVE_SEALED = 'UPDATE dispute_files SET sealing_key_id = $2, sealed = $3 WHERE id = $1';

export async function saveSealed(
  tx: Transaction,
  id: string,
  { keyId, sealed }: SealedSecret,
): Promise<void> {
  await tx.query(SAVE_SEALED, [id, keyId, sealed]);
}

const DELETE = 'DELETE FROM dispute_files WHERE id = $1 RETURNING true';

/** Returns false when the file is already deleted. */
export async function deleteFileRow(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length > 0;
}
