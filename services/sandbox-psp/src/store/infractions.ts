import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { DefenseFile, Infraction } from '../domain/infraction.ts';
import { type Page, tableOf } from './table.ts';

const infractions = tableOf<Infraction & { fileIds: readonly string[] }, Infraction>('infractions', {
  key: 'infraction_id AS id',
  columns: `
    client_id, end_to_end_id, txid, amount_cents AS amount, reason, description, created_at, deadline,
    defense AS defense.description, documents AS defense.documents, defended_at AS defense.sentAt,
    defense_file_ids AS fileIds`,
  computed: { 'defense.fileIds': 'defense_file_ids' },
});

const rowOf = (infraction: Infraction) => ({ ...infraction, fileIds: infraction.defense?.fileIds ?? [] });

/** Inserts an infraction. Returns false if the payment already has an infraction. */
export async function insertInfraction(tx: Transaction, infraction: Infraction): Promise<boolean> {
  const tail = 'ON CONFLICT ON CONSTRAINT infractions_payment DO NOTHING RETURNING true';
  return (await infractions.insert(tx, rowOf(infraction), tail)).length > 0;
}

const FIND = 'WHERE infraction_id = $1 AND client_id = $2';

export function findInfraction(db: Queryable, clientId: string, id: string) {
  return infractions.find(db, FIND, [id, clientId]);
}

export function lockInfraction(tx: Transaction, clientId: string, id: string) {
  return infractions.find(tx, `${FIND} FOR NO KEY UPDATE`, [id, clientId]);
}

export async function saveInfraction(tx: Transaction, infraction: Infraction): Promise<void> {
  await infractions.save(tx, rowOf(infraction));
}

const OF_PERIOD = 'client_id = $1 AND created_at BETWEEN $2 AND $3';

/**
 * Lists one page of the infractions from `from` to `to`, both inclusive, with the oldest first. Also returns
 * the total number.
 */
export function listInfractions(
  database: Database,
  { clientId, from, to }: { clientId: string; from: Date; to: Date },
  page: Page,
) {
  return infractions.listPage(database, 'created_at', [OF_PERIOD, [clientId, from, to]], page);
}

export function listAllInfractions(db: Queryable) {
  return infractions.list(db, 'ORDER BY position');
}

const defenseFiles = tableOf<DefenseFile & { infractionId: string }>('defense_files', {
  key: 'infraction_id, file_id AS id',
  columns: 'name, type, size_bytes AS size, sha256',
});

export async function insertDefenseFile(
  tx: Transaction,
  infractionId: string,
  file: DefenseFile,
): Promise<void> {
  await defenseFiles.insert(tx, { ...file, infractionId });
}

export function defenseFilesOf(db: Queryable, infractionId: string): Promise<DefenseFile[]> {
  return defenseFiles.list(db, 'WHERE infraction_id = $1 ORDER BY file_id', [infractionId]);
}

export function listAllDefenseFiles(db: Queryable): Promise<DefenseFile[]> {
  return defenseFiles.list(db, 'ORDER BY file_id');
}
