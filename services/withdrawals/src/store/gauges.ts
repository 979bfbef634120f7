import type { Database } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { unknownOutcomes } from '@plataforma/service';
import { metrics } from '../metrics.ts';

const UNKNOWN = `
  SELECT 'payout' AS kind, environment, count(*) AS count,
    greatest(extract(epoch FROM now() - min(started_at)), 0)::float8 AS oldest_seconds
  FROM withdrawals WHERE method = 'PIX' AND status = 'PROCESSING'
  GROUP BY environment`;

/**
 * Counts payouts whose outcome at the provider is unknown. Excludes TEDs, because operators send these by
 * hand.
 */
export async function readUnknownOutcomes(database: Database): Promise<GaugeSample[]> {
  return unknownOutcomes(['payout'], await database.queryUnprepared(UNKNOWN, []));
}

const COUNT_ALONE = `
  SELECT count(*)::integer AS count FROM payout_alarms
  WHERE offer IS NOT NULL AND proposed_by IS NULL AND settled_at > now() - interval '1 hour'`;

export async function readAcceptedAlone(database: Database): Promise<GaugeSample[]> {
  const [row] = await database.query<{ count: number }>(COUNT_ALONE);
  return [metrics.gauge('plataforma_books_accepted_alone', {}, row?.count ?? 0)];
}
