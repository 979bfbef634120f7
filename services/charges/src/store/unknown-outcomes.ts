import type { Database } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { unknownOutcomes } from '@plataforma/service';

/**
 * Counts orders and requests whose outcome at the provider is unknown. An approved card payment that waits
 * for a repeat of its request does not count. A payment that is being returned counts.
 */
const UNKNOWN = `
  SELECT kind, environment, count(*) AS count,
    greatest(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest_seconds
  FROM (
    SELECT CASE payment_method WHEN 'PIX' THEN 'pix_charge' ELSE 'card' END AS kind, environment, created_at
    FROM charges
    WHERE status = 'PENDING' AND (payment_method = 'CARD' OR is_unanswered)
      AND qr_code IS NULL AND (acquirer_id IS NULL OR is_voiding)
    UNION ALL
    SELECT 'refund', environment, created_at FROM refunds WHERE status IN ('REQUESTED', 'DEBITED', 'ACCEPTED')
    UNION ALL
    SELECT 'evidence', environment, evidence_sent_at FROM disputes WHERE forward_at IS NOT NULL) AS each
  GROUP BY kind, environment`;

export async function readUnknownOutcomes(database: Database): Promise<GaugeSample[]> {
  return unknownOutcomes(
    ['pix_charge', 'card', 'refund', 'evidence'],
    await database.queryUnprepared(UNKNOWN, []),
  );
}
