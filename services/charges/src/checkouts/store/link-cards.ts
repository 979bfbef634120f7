import type { Queryable } from '@plataforma/data';
import type { LinkCards } from '../domain/card-testing.ts';

/** Declines that tell whether a number works; as `follow_checkout` counts them for a visit. */
const COUNT = `
  SELECT count(*) FILTER (WHERE status = 'DECLINED'
      AND coalesce(decline_reason, '') NOT IN ('invalid_card_token', 'not_processed', 'voided')) AS declined,
    count(*) FILTER (WHERE paid_at IS NOT NULL) AS paid
  FROM (SELECT status, decline_reason, paid_at FROM charges
    WHERE payment_link_id = $1 AND payment_method = 'CARD' AND created_at > $2
    ORDER BY created_at DESC LIMIT 1000) AS latest`;

/** What became of the cards charged at a link since then, its merchant’s time: of a thousand at most, as each payment asks. */
export async function countCards(db: Queryable, linkId: string, since: Date): Promise<LinkCards> {
  const [counted] = await db.query<Record<string, unknown> & LinkCards>(COUNT, [linkId, since]);
  return counted ?? { declined: 0, paid: 0 };
}
