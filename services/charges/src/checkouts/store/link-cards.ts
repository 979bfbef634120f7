import type { Queryable } from '@plataforma/data';
import type { LinkCards } from '../domain/card-testing.ts';
import type { Checkout } from '../domain/checkout.ts';

/** Declines that show whether a number works; as `follow_checkout` counts them for a visit. */
const COUNTS = `
  SELECT count(*) FILTER (WHERE status = 'DECLINED'
      AND coalesce(decline_reason, '') NOT IN ('invalid_card_token', 'not_processed', 'voided')) AS declined,
    count(*) FILTER (WHERE paid_at IS NOT NULL) AS paid`;
const OF_LINK = "payment_link_id = $1 AND payment_method = 'CARD' AND charges.created_at > $2";
const COUNT = `
  ${COUNTS} FROM (SELECT status, decline_reason, paid_at FROM charges WHERE ${OF_LINK}
    ORDER BY created_at DESC LIMIT 1000) AS latest`;
type Row = LinkCards & Record<string, unknown>;

/** Counts the cards charged at a link since then, its merchant’s time: a thousand at most, as each payment counts. */
export async function countCards(db: Queryable, linkId: string, since: Date): Promise<LinkCards> {
  return counted(await db.query<Row>(COUNT, [linkId, since]));
}

/** A visit without a group, which release 0.6.0 began, is a caller of its own. */
const COUNT_OF_CALLER = `
  ${COUNTS} FROM charges JOIN checkouts ON checkouts.id = checkout_id
  WHERE ${OF_LINK} AND (checkouts.id = $3 OR caller_group = $4)`;

/** Counts the cards charged at the same link in visits of the same caller. */
export async function countCardsOfCaller(
  db: Queryable,
  { id, linkId, callerGroup }: Checkout,
  since: Date,
): Promise<LinkCards> {
  return counted(await db.query<Row>(COUNT_OF_CALLER, [linkId, since, id, callerGroup]));
}

const counted = ([row]: LinkCards[]): LinkCards => row ?? { declined: 0, paid: 0 };
