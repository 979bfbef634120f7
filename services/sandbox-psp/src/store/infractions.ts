import type { Queryable, Transaction } from '@plataforma/data';
import type { Infraction, InfractionReason } from '../domain/infraction.ts';
import type { Page } from './payments.ts';

interface InfractionRow {
  infraction_id: string;
  client_id: string;
  end_to_end_id: string;
  txid: string;
  amount_cents: number;
  reason: InfractionReason;
  description: string;
  created_at: Date;
  deadline: Date;
  defense: string | null;
  documents: string[] | null;
  defense_file_ids: string[];
  defended_at: Date | null;
}

const COLUMNS = `
  infraction_id, client_id, end_to_end_id, txid, amount_cents, reason, description, created_at, deadline, defense,
  documents, defense_file_ids, defended_at`;

const INSERT = `
  INSERT INTO infractions
    (infraction_id, client_id, end_to_end_id, txid, amount_cents, reason, description, created_at, deadline)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT ON CONSTRAINT infractions_payment DO NOTHING
  RETURNING true`;

/** False when the payment has an infraction already. */
export async function insertInfraction(tx: Transaction, infraction: Infraction): Promise<boolean> {
  const rows = await tx.query(INSERT, [
    infraction.id,
    infraction.clientId,
    infraction.endToEndId,
    infraction.txid,
    infraction.amount,
    infraction.reason,
    infraction.description,
    infraction.createdAt,
    infraction.deadline,
  ]);
  return rows.length > 0;
}

const FIND = `SELECT ${COLUMNS} FROM infractions WHERE infraction_id = $1 AND client_id = $2`;
const LOCK = `${FIND} FOR NO KEY UPDATE`;

export async function findInfraction(db: Queryable, clientId: string, id: string) {
  const [row] = await db.query<InfractionRow>(FIND, [id, clientId]);
  return row && infractionOf(row);
}

export async function lockInfraction(tx: Transaction, clientId: string, id: string) {
  const [row] = await tx.query<InfractionRow>(LOCK, [id, clientId]);
  return row && infractionOf(row);
}

const SAVE_DEFENSE = `
  UPDATE infractions SET defense = $2, documents = $3, defended_at = $4, defense_file_ids = $5
  WHERE infraction_id = $1`;

export async function saveDefense(tx: Transaction, { id, defense }: Infraction): Promise<void> {
  const { description = null, documents = null, sentAt = null, fileIds = [] } = defense ?? {};
  await tx.query(SAVE_DEFENSE, [id, description, documents, sentAt, fileIds]);
}

const OF_PERIOD = 'FROM infractions WHERE client_id = $1 AND created_at BETWEEN $2 AND $3';
const COUNT = `SELECT count(*) AS total ${OF_PERIOD}`;
const LIST_PAGE = `SELECT ${COLUMNS} ${OF_PERIOD} ORDER BY created_at, position LIMIT $4 OFFSET $5`;

/** The infractions of a period, both ends of it included, on one page, oldest first, and how many there are in all. */
export async function listInfractions(
  db: Queryable,
  { clientId, from, to }: { clientId: string; from: Date; to: Date },
  { index, size }: Page,
) {
  const period = [clientId, from, to];
  const [counted] = await db.query<{ total: number }>(COUNT, period);
  const rows = await db.query<InfractionRow>(LIST_PAGE, [...period, size, index * size]);
  return { infractions: rows.map(infractionOf), total: counted?.total ?? 0 };
}

const LIST = `SELECT ${COLUMNS} FROM infractions ORDER BY position`;

export async function listAllInfractions(db: Queryable): Promise<Infraction[]> {
  const rows = await db.query<InfractionRow>(LIST);
  return rows.map(infractionOf);
}

function infractionOf(row: InfractionRow): Infraction {
  const { defense: description, documents, defense_file_ids: fileIds, defended_at: sentAt } = row;
  return {
    id: row.infraction_id,
    clientId: row.client_id,
    endToEndId: row.end_to_end_id,
    txid: row.txid,
    amount: row.amount_cents,
    reason: row.reason,
    description: row.description,
    createdAt: row.created_at,
    deadline: row.deadline,
    defense:
      description !== null && documents !== null && sentAt !== null
        ? { description, documents, fileIds, sentAt }
        : null,
  };
}
