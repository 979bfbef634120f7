import type { ProposalPartQuery, ProposalStatus } from '@plataforma/contracts';
import {
  columnsOf,
  type Database,
  fieldsOf,
  namesOf,
  type Queryable,
  readRows,
  type SealedTable,
  selected,
  composeSql as sql,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import type { Cents, Environment } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from '../metrics.ts';
import { isTrusted, requireTrusted, sealOf } from '../row-seals.ts';
import type { SealedRows } from '../seal-rows.ts';

/** A change that one operator has proposed and another must approve. Times are by the database's clock. */
export interface Proposal {
  id: string;
  action: string;
  arguments: Record<string, unknown>;
  /** The id of the object that the proposal creates or changes. */
  subjectId: string;
  merchantId: string | null;
  environment: Environment | null;
  amount: Cents | null;
  reason: string | null;
  proposedBy: string;
  proposedAt: Date;
  expiresAt: Date;
  /** The row of an expired proposal stays PROPOSED. */
  status: Exclude<ProposalStatus, 'EXPIRED'>;
  decidedBy: string | null;
  decidedAt: Date | null;
  decisionReason: string | null;
}

export type ProposalRow = Proposal & { seal: string | null };

const OWN = columnsOf(`
  action, arguments, subject_id, merchant_id, environment, amount_cents AS amount, reason, proposed_by,
  proposed_at, expires_at, status, decided_by, decided_at, decision_reason`);
const COLUMNS = ['id', ...OWN, 'seal'];
export const PROPOSAL_COLUMNS: readonly string[] = COLUMNS;

export const sealedProposals: SealedTable = { name: 'proposals', fields: fieldsOf(OWN) };
/** The proposals, for a command that seals existing rows. */
export const proposalsToSeal: SealedRows = {
  table: sealedProposals,
  ...{ key: 'id', keyType: 'uuid', columns: COLUMNS },
};

const INSERT = `
  INSERT INTO proposals (${namesOf(COLUMNS)}) VALUES (${COLUMNS.map((_, at) => `$${at + 1}`)})`;

export async function insertProposal(tx: Transaction, proposal: Proposal): Promise<ProposalRow> {
  const row = { ...proposal, seal: sealOf(tx, sealedProposals, proposal) };
  await tx.query(INSERT, valuesIn(row, COLUMNS));
  return row;
}

/** The columns of a row that a decision changes. */
const SAVE = `
  UPDATE proposals SET status = $2, decided_by = $3, decided_at = $4, decision_reason = $5, arguments = $6,
    seal = $7
  WHERE id = $1`;

export async function saveProposal(tx: Transaction, proposal: Proposal): Promise<ProposalRow> {
  const { id, status, decidedBy, decidedAt, decisionReason, arguments: given } = proposal;
  const row = { ...proposal, seal: sealOf(tx, sealedProposals, proposal) };
  await tx.query(SAVE, [id, status, decidedBy, decidedAt, decisionReason, given, row.seal]);
  return row;
}

const NOW = 'SELECT now() AS now';

/** Returns the time at which the transaction began, by the database's clock. */
export async function timeOf(tx: Transaction): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>(NOW);
  if (!row) throw new Error('the database has no time');
  return row.now;
}

const LOCK = `SELECT ${COLUMNS} FROM proposals WHERE id = $1 FOR UPDATE`;

/** Locks a proposal. Returns null if it does not exist. Throws INVALID_STATE for one without a valid seal. */
export async function lockProposal(tx: Transaction, id: string): Promise<ProposalRow | null> {
  const [row] = await tx.query<ProposalRow>(LOCK, [id]);
  if (!row) return null;
  requireTrusted(tx, sealedProposals, row);
  return row;
}

const LOCK_EXPIRED = `
  SELECT ${COLUMNS} FROM proposals
  WHERE status = 'PROPOSED' AND expires_at <= now() AND arguments ? $1 FOR UPDATE SKIP LOCKED`;

/** Removes this argument from expired proposals. Skips rows without a valid seal, so that they get none. */
export async function forgetArgument(tx: Transaction, name: string): Promise<void> {
  for (const row of await tx.query<ProposalRow>(LOCK_EXPIRED, [name])) {
    if (!isTrusted(tx, sealedProposals, row)) continue;
    const { [name]: _forgotten, ...given } = row.arguments;
    await saveProposal(tx, { ...row, arguments: given });
  }
}

const FIND_SAME = `
  SELECT ${COLUMNS} FROM proposals
  WHERE status = 'PROPOSED' AND expires_at > now() AND action = $1 AND proposed_by = $2 AND arguments = $3
  LIMIT 1`;

/** Finds the open proposal of the same change by the same operator. */
export async function findSameProposal(
  db: Queryable,
  { action, proposedBy, arguments: given }: Pick<Proposal, 'action' | 'proposedBy' | 'arguments'>,
): Promise<ProposalRow | null> {
  const [row] = await db.query<ProposalRow>(FIND_SAME, [action, proposedBy, given]);
  return row ?? null;
}

/** Returns the newest matching proposals, and the total number of matching proposals. */
export async function readProposals(
  db: Queryable,
  { status, action, merchantId, id, newest, after }: ProposalPartQuery,
): Promise<{ total: number; proposals: ProposalRow[] }> {
  const matching = sql('proposals').select(selected(COLUMNS));
  if (action) matching.where({ action });
  if (merchantId) matching.where({ merchant_id: merchantId });
  if (id) matching.where({ id });
  if (status) matching.where({ status: status === 'EXPIRED' ? 'PROPOSED' : status });
  if (status === 'EXPIRED') matching.whereRaw('expires_at <= now()');
  if (status === 'PROPOSED') matching.whereRaw('expires_at > now()');
  const slice = { page: 1, limit: newest, after };
  const listing = { matching, newestBy: ['proposed_at', 'id'] };
  const { items: proposals, total } = await readRows<ProposalRow>(db, listing, slice);
  return { total, proposals };
}

const OLDEST = `
  SELECT coalesce(extract(epoch FROM now() - min(proposed_at)), 0)::float8 AS seconds
  FROM proposals WHERE status = 'PROPOSED' AND expires_at > now()`;

/** Returns a gauge of the age of the oldest proposal that waits for an approval. */
export async function readProposalGauges(database: Database): Promise<GaugeSample[]> {
  const [row] = await database.query<{ seconds: number }>(OLDEST);
  return [metrics.gauge('plataforma_proposals_oldest_seconds', {}, row?.seconds ?? 0)];
}
