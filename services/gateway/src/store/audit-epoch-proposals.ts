import {
  columnsOf,
  type Database,
  namesOf,
  type Queryable,
  type Transaction,
  valuesIn,
} from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { isTrusted, type OperatorStep, rowsToSeal, sealOf } from '@plataforma/tables';
import { type FollowedChain, nameOf } from '../domain/followed-chain.ts';
import { metrics } from '../metrics.ts';

interface Epoch extends FollowedChain {
  epoch: number;
}

const COLUMNS = columnsOf('service AS id, epoch, proposed_by AS by, proposed_at AS at, seal');
/** The proposals, for a command that seals existing rows. */
export const epochProposalsToSeal = rowsToSeal('audit_epoch_proposals', COLUMNS, {
  key: 'service',
  keyType: 'text',
});

type ProposalRow = OperatorStep & { id: string; epoch: number; seal: string | null };

const FIND = `SELECT ${COLUMNS} FROM audit_epoch_proposals WHERE service = $1 AND epoch = $2`;

/** Finds the operator who first proposed this epoch. Returns null if no proposal with a valid seal exists. */
export async function findEpochProposal(
  db: Queryable,
  { epoch, ...of }: Epoch,
): Promise<OperatorStep | null> {
  const [row] = await db.query<ProposalRow>(FIND, [nameOf(of), epoch]);
  return row && isTrusted(db, epochProposalsToSeal.table, row) ? row : null;
}

const SAVE = `
  INSERT INTO audit_epoch_proposals (${namesOf(COLUMNS)}) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (service) DO UPDATE SET epoch = excluded.epoch, proposed_by = excluded.proposed_by,
    proposed_at = excluded.proposed_at, seal = excluded.seal`;

export async function saveEpochProposal(
  tx: Transaction,
  { epoch, ...of }: Epoch,
  { by, at }: OperatorStep,
): Promise<void> {
  const row = { id: nameOf(of), epoch, by, at };
  await tx.query(SAVE, valuesIn({ ...row, seal: sealOf(tx, epochProposalsToSeal.table, row) }, COLUMNS));
}

export async function dropEpochProposal(tx: Transaction, of: FollowedChain): Promise<void> {
  await tx.query('DELETE FROM audit_epoch_proposals WHERE service = $1', [nameOf(of)]);
}

const COUNT_ALONE = `
  SELECT count(*)::integer AS count FROM audit_anchors
  WHERE sequence = 0 AND proposed_by IS NULL AND anchored_at > now() - interval '1 hour'`;

export async function readEpochGauges(database: Database): Promise<GaugeSample[]> {
  const [row] = await database.query<{ count: number }>(COUNT_ALONE);
  return [metrics.gauge('plataforma_audit_epochs_begun_alone', {}, row?.count ?? 0)];
}
