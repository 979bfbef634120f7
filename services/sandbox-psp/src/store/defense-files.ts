import type { Queryable, Transaction } from '@plataforma/data';
import type { DefenseFile } from '../domain/infraction.ts';

const INSERT = `
  INSERT INTO defense_files (infraction_id, file_id, name, type, size_bytes, sha256)
  VALUES ($1, $2, $3, $4, $5, $6)`;

export async function insertDefenseFile(
  tx: Transaction,
  infractionId: string,
  { id, name, type, size, sha256 }: DefenseFile,
): Promise<void> {
  await tx.query(INSERT, [infractionId, id, name, type, size, sha256]);
}

const OF_INFRACTION = `
  SELECT file_id AS id, name, type, size_bytes AS size, sha256 FROM defense_files
  WHERE infraction_id = $1 ORDER BY file_id`;

export function defenseFilesOf(db: Queryable, infractionId: string): Promise<DefenseFile[]> {
  return db.query<DefenseFile & Record<string, unknown>>(OF_INFRACTION, [infractionId]);
}

const ALL = `
  SELECT file_id AS id, name, type, size_bytes AS size, sha256 FROM defense_files ORDER BY file_id`;

/** Of all infractions. */
export function listAllDefenseFiles(db: Queryable): Promise<DefenseFile[]> {
  return db.query<DefenseFile & Record<string, unknown>>(ALL);
}
