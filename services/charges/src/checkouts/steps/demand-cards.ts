import type { Queryable } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { merchantTime } from '@plataforma/service';
import { metrics } from '../../metrics.ts';
import { areTriedOut, cardsPaused, windowFrom } from '../domain/card-testing.ts';
import type { PaymentLink } from '../domain/payment-link.ts';
import { countCards } from '../store/link-cards.ts';

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

/** Refuses while cards are tried out at a link. Those that are being charged at this moment may still come on top. */
export async function demandCards(
  { database, clock, log }: DemandCards,
  link: Pick<PaymentLink, 'id' | 'merchantId' | 'environment'>,
  step: (typeof steps)[number],
): Promise<void> {
  const cards = await countCards(database, link.id, windowFrom(await merchantTime(database, clock, link)));
  if (!areTriedOut(cards)) return;
  paused({ step }, 1);
  log.warn(
    { linkId: link.id, step, ...cards },
    'cards are turned away at a payment link: too many were declined',
  );
  throw cardsPaused();
}
