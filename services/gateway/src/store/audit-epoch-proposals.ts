import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import type { OperatorStep } from '@plataforma/tables';
import { type FollowedChain, nameOf } from '../domain/followed-chain.ts';
import { metrics } from '../metrics.ts';

interface Epoch extends FollowedChain {
  epoch: number;
}

const FIND = `
  SELECT proposed_by AS by, proposed_at AS at FROM audit_epoch_proposals WHERE service = $1 AND epoch = $2`;

/** Finds the operator who first proposed this epoch. Returns null if no proposal exists. */
export async function findEpochProposal(
  db: Queryable,
  { epoch, ...of }: Epoch,
): Promise<OperatorStep | null> {
  const [row] = await db.query<{ by: string; at: Date }>(FIND, [nameOf(of), epoch]);
  return row ?? null;
}

const SAVE = `
  INSERT INTO audit_epoch_proposals (service, epoch, proposed_by, proposed_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (service) DO UPDATE SET epoch = excluded.epoch, proposed_by = excluded.proposed_by,
    proposed_at = excluded.proposed_at`;

export async function saveEpochProposal(
  tx: Transaction,
  { epoch, ...of }: Epoch,
  { by, at }: OperatorStep,
): Promise<void> {
  await tx.query(SAVE, [nameOf(of), epoch, by, at]);
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
