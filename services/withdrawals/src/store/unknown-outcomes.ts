import type { Database } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { unknownOutcomes } from '@plataforma/service';

const UNKNOWN = `
  SELECT 'payout' AS kind, environment, count(*) AS count,
    greatest(extract(epoch FROM now() - min(started_at)), 0)::float8 AS oldest_seconds
  FROM withdrawals WHERE method = 'PIX' AND status = 'PROCESSING'
  GROUP BY environment`;

/** What was ordered of a provider and has no end yet that we know of. A TED is paid by an operator, in their own time. */
export async function readUnknownOutcomes(database: Database): Promise<GaugeSample[]> {
  return unknownOutcomes(['payout'], await database.queryUnprepared(UNKNOWN, []));
}
