import type { Queryable } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { merchantTime } from '@plataforma/service';
import { metrics } from '../../metrics.ts';
import { areTriedOut, cardsPaused, isSuspect, type LinkCards, windowFrom } from '../domain/card-testing.ts';
import type { Checkout } from '../domain/checkout.ts';
import type { Visit } from './visits.ts';

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
async function countCardsOfCaller(
  db: Queryable,
  { id, linkId, callerGroup }: Checkout,
  since: Date,
): Promise<LinkCards> {
  return counted(await db.query<Row>(COUNT_OF_CALLER, [linkId, since, id, callerGroup]));
}

const counted = ([row]: LinkCards[]): LinkCards => row ?? { declined: 0, paid: 0 };

const steps = ['form', 'payment'] as const;
const paused = metrics.recorder(
  'plataforma_checkout_cards_paused_total',
  steps.map((step) => ({ step })),
);

/**
 * Refuses a caller above the own limit while cards are tried out at a link, because one limit for all would let
 * strangers close its cards. Cards that are being charged at this moment do not count yet.
 */
export async function demandCards(
  { database, clock, log }: { database: Queryable; clock: Clock; log: Log },
  { link, checkout }: Pick<Visit, 'link' | 'checkout'>,
  step: (typeof steps)[number],
): Promise<void> {
  const since = windowFrom(await merchantTime(database, clock, link));
  const cards = await countCards(database, link.id, since);
  if (!areTriedOut(cards) || !isSuspect(await countCardsOfCaller(database, checkout, since))) return;
  paused({ step }, 1);
  log.warn(
    { linkId: link.id, step, ...cards },
    'card refused at a payment link where too many were declined',
  );
  throw cardsPaused();
}
