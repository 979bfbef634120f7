import type { Log } from '@plataforma/observe';
import { demandCardAllowed } from '../../domain/card.ts';
import { demandMethod, demandTriesLeft, outcomeUnknown } from '../domain/checkout.ts';
import { demandCards } from '../steps/demand-cards.ts';
import { demandMayCharge, type HoldUse, holdForForm, readVisit } from '../steps/hold-use.ts';

/** Opens the card form for ten minutes, unless the link is used up. A card whose outcome is not known delays it. */
export async function openCardForm(parts: HoldUse & { log: Log }, id: string): Promise<void> {
  const { checkout, link, charge } = await readVisit(parts.database, id);
  demandMethod(link, 'CARD');
  if (checkout.use === 'USED') return;
  if (checkout.isLiving && charge?.paymentMethod === 'CARD') throw outcomeUnknown();
  demandTriesLeft(checkout);
  await demandMayCharge(parts, link);
  demandCardAllowed(await parts.merchants.find(link.merchantId), link.environment, 1);
  await demandCards(parts, { link, checkout }, 'form');
  await holdForForm(parts, id);
}
