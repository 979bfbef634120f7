import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { demandCardAllowed } from '../../domain/card.ts';
import { demandMethod, demandTriesLeft, outcomeUnknown } from '../domain/checkout.ts';
import { demandCards } from '../steps/demand-cards.ts';
import { demandMayCharge, type HoldUse, holdForForm, otherVisitOf, readVisit } from '../steps/hold-use.ts';

/**
 * Takes a use before any card field is shown, or keeps the one there is, for ten minutes. A card whose outcome is not
 * known holds the form up. Answers whose visit it is, as `payByPix` does.
 */
export async function openCardForm(parts: HoldUse & { log: Log }, id: string): Promise<string> {
  const visit = await readVisit(parts.database, id);
  const { checkout, link, charge } = visit;
  demandMethod(link, 'CARD');
  if (checkout.use === 'USED') return id;
  if (checkout.isLiving && charge?.paymentMethod === 'CARD') throw outcomeUnknown();
  demandTriesLeft(checkout);
  await demandMayCharge(parts, link);
  demandCardAllowed(await parts.merchants.find(link.merchantId), link.environment, 1);
  await demandCards(parts, link, 'form');
  try {
    await holdForForm(parts, id);
    return id;
  } catch (error) {
    const isTaken = error instanceof Refusal && error.code === 'NO_USES_LEFT';
    const other = isTaken ? await otherVisitOf(parts.database, visit) : null;
    if (other === null) throw error;
    return other;
  }
}
