import { columnsOf, type Database, type Row, type Transaction } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import type { GaugeSample } from '@plataforma/observe';
import { type Claimed, createQueue, type Leased, LeaseOver } from '@plataforma/work';
import { metrics } from '../../metrics.ts';

/** The progress of the comparisons in an environment, as a claim returns it. */
export interface DueReconciliation extends Leased {
  id: string;
  environment: Environment;
  /** The first UTC day that is not compared yet. */
  nextDay: string;
  /** The keys of the differences that the last comparison of `nextDay` found. */
  seen: string[];
  looks: number;
  /** The number of claims since the last successful comparison. */
  attempts: number;
}

// A day in the future comes from a wrong clock, and counts as today.
const NEXT_DAY = `least(next_day, (now() AT TIME ZONE 'UTC')::date)`;

export const dueReconciliations = createQueue<DueReconciliation & Row>({
  table: 'reconciliations',
  columns: [
    ...columnsOf('id, environment, seen, looks, attempts, lease_token, lease_until'),
    `${NEXT_DAY}::text AS "nextDay"`,
  ],
  due: 'next_at',
  attempts: 'attempts',
  lease: { token: 'lease_token', until: 'lease_until' },
});

export interface NextComparison {
  dueAt: Date;
  nextDay: string;
  seen: readonly string[];
  looks: number;
}

const SAVE = 'UPDATE reconciliations SET next_day = $2, seen = $3, looks = $4, attempts = 0 WHERE id = $1';

/**
 * Ends a comparison, and commits the writes of `alsoDo` with it. Throws LeaseOver and writes nothing when
 * another process has claimed the day.
 */
export async function endComparison(
  database: Database,
  { item: { id }, lease: { token } }: Claimed<DueReconciliation>,
  { next, alsoDo }: { next: NextComparison; alsoDo: (tx: Transaction) => Promise<void> },
): Promise<void> {
  await database.transaction(async (tx) => {
    const { dueAt, nextDay, seen, looks } = next;
    if (!(await dueReconciliations.release(tx, { id, token, dueAt }))) throw new LeaseOver();
    await tx.query(SAVE, [id, nextDay, seen, looks]);
    await alsoDo(tx);
  });
}

const BEHIND = `
  SELECT environment, greatest(extract(epoch FROM $1::timestamptz - (${NEXT_DAY} + 1)::timestamp AT TIME ZONE
  'UTC'), 0)::float8 AS seconds
  FROM reconciliations`;

/** Reads, for each environment, the seconds since the end of the oldest day that was not compared yet. */
export async function readBehind(database: Database, now: Date): Promise<GaugeSample[]> {
  const rows = await database.query<{ environment: Environment; seconds: number }>(BEHIND, [now]);
  return rows.map(({ environment, seconds }) =>
    metrics.gauge('plataforma_reconciliation_behind_seconds', { environment }, seconds),
  );
}
