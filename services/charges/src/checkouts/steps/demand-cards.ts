import type { Queryable } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { merchantTime } from '@plataforma/service';
import { metrics } from '../../metrics.ts';
import { areTriedOut, cardsPaused, isSuspect, windowFrom } from '../domain/card-testing.ts';
import { countCards, countCardsOfCaller } from '../store/link-cards.ts';
import type { Visit } from './hold-use.ts';

interface DemandCards {
  database: Queryable;
  clock: Clock;
  log: Log;
}

const steps = ['form', 'payment'] as const;
const paused = metrics.recorder(
  'plataforma_checkout_cards_paused_total',
  steps.map((step) => ({ step })),
);

/**
 * Refuses a caller who is above the own limit while cards are tried out at a link, because one limit for all would let
 * strangers close its cards. Cards that are being charged at this moment may still come on top.
 */
export async function demandCards(
  { database, clock, log }: DemandCards,
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
