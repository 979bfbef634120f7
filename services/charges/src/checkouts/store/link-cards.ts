import type { Queryable } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { merchantTime } from '@plataforma/service';
import { metrics } from '../../metrics.ts';
import {
  areTriedOut,
  cardsPaused,
  hasReachedLimit,
  isClosedToStrangers,
  type LinkCards,
  OWN_NETWORK,
  WIDER_NETWORKS,
  windowFrom,
} from '../domain/card-testing.ts';
import type { Checkout } from '../domain/checkout.ts';
import type { Visit } from './visits.ts';

/**
 * Counts only declines that reveal whether a card number works. The trigger `follow_checkout` counts the
 * declines of a visit in the same way.
 */
const COUNTS = `
  SELECT count(*) FILTER (WHERE status = 'DECLINED'
      AND coalesce(decline_reason, '') NOT IN ('invalid_card_token', 'not_processed', 'voided')) AS declined,
    count(*) FILTER (WHERE paid_at IS NOT NULL) AS paid`;
const OF_LINK = "payment_link_id = $1 AND payment_method = 'CARD' AND charges.created_at > $2";
const COUNT = `
  ${COUNTS} FROM (SELECT status, decline_reason, paid_at FROM charges WHERE ${OF_LINK}
    ORDER BY created_at DESC LIMIT 1000) AS latest`;
type Row = LinkCards & Record<string, unknown>;

/**
 * Counts the cards charged at a link since a time on the merchant's clock. Reads at most the latest thousand
 * cards, because the query runs for each payment.
 */
export async function countCards(db: Queryable, linkId: string, since: Date): Promise<LinkCards> {
  return counted(await db.query<Row>(COUNT, [linkId, since]));
}

/** A visit of release 0.6.0 has no `caller_group`, so only the cards of this visit itself are counted. */
const COUNT_OF_CALLER = `
  ${COUNTS} FROM charges JOIN checkouts ON checkouts.id = checkout_id
  WHERE ${OF_LINK} AND (checkouts.id = $3 OR caller_group >> $5::integer = $4::integer >> $5::integer)`;

/**
 * Counts the cards that visits of the same network charged at the link. Two network numbers belong to the
 * same network if they differ only in the last `bits` bits.
 */
async function countCardsOfNetwork(
  db: Queryable,
  { id, linkId, callerGroup }: Checkout,
  { since, bits }: { since: Date; bits: number },
): Promise<LinkCards> {
  return counted(await db.query<Row>(COUNT_OF_CALLER, [linkId, since, id, callerGroup, bits]));
}

const HAS_PAID = "SELECT FROM checkouts WHERE link_id = $1 AND use = 'USED' AND caller_group = $2 LIMIT 1";

/** Returns whether a visit from the caller's own network has ever paid at the link. */
async function hasPaid(db: Queryable, { linkId, callerGroup }: Checkout): Promise<boolean> {
  return (await db.query(HAS_PAID, [linkId, callerGroup])).length === 1;
}

const counted = ([row]: LinkCards[]): LinkCards => row ?? { declined: 0, paid: 0 };

const steps = ['form', 'payment'] as const;
const paused = metrics.recorder(
  'plataforma_checkout_cards_paused_total',
  steps.map((step) => ({ step })),
);

/**
 * Refuses a caller if card numbers are tested at the link and one of the caller's networks has reached its
 * limit. A limit for the whole link would let strangers close it. Cards without an outcome do not count yet.
 */
export async function requireCards(
  { database, clock, log }: { database: Queryable; clock: Clock; log: Log },
  { link, checkout, payerGroup }: Pick<Visit, 'link' | 'checkout'> & { payerGroup: number | null },
  step: (typeof steps)[number],
): Promise<void> {
  const since = windowFrom(await merchantTime(database, clock, link));
  const cards = await countCards(database, link.id, since);
  if (!areTriedOut(cards)) return;
  // The network that began the visit and the network that pays are both checked. Otherwise a refused network
  // could pay in a visit that another network began.
  const groups = new Set([checkout.callerGroup, payerGroup ?? checkout.callerGroup]);
  const refusals = [...groups].map((callerGroup) =>
    isRefused(database, { ...checkout, callerGroup }, { cards, since }),
  );
  if (!(await Promise.all(refusals)).includes(true)) return;
  paused({ step }, 1);
  log.warn(
    { linkId: link.id, step, ...cards },
    'card refused at a payment link where too many were declined',
  );
  throw cardsPaused();
}

/**
 * Returns whether a caller has reached a limit. If the caller's own network has paid before, only the limit
 * of that network applies.
 */
async function isRefused(
  database: Queryable,
  checkout: Checkout,
  { cards, since }: { cards: LinkCards; since: Date },
): Promise<boolean> {
  const isIn = async (network: typeof OWN_NETWORK) =>
    hasReachedLimit(await countCardsOfNetwork(database, checkout, { since, bits: network.bits }), network);
  if (await isIn(OWN_NETWORK)) return true;
  if (await hasPaid(database, checkout)) return false;
  if (isClosedToStrangers(cards)) return true;
  for (const network of WIDER_NETWORKS) if (await isIn(network)) return true;
  return false;
}
