import type { Database } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from '../metrics.ts';

const COUNT_ALONE = `
  SELECT count(*)::integer AS count FROM payout_alarms
  WHERE offer IS NOT NULL AND proposed_by IS NULL AND settled_at > now() - interval '1 hour'`;

/** By how many alarms one operator alone has just accepted the books. */
export async function readAcceptedAlone(database: Database): Promise<GaugeSample[]> {
  const [row] = await database.query<{ count: number }>(COUNT_ALONE);
  return [metrics.gauge('plataforma_books_accepted_alone', {}, row?.count ?? 0)];
}
