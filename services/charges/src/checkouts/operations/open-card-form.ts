import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { MerchantDirectory } from '@plataforma/service';
import { demandCardAllowed } from '../../domain/card.ts';
import { demandMethod, demandTriesLeft, outcomeUnknown } from '../domain/checkout.ts';
import { demandMayCharge } from '../domain/payment-link.ts';
import { demandCards } from '../store/link-cards.ts';
import { readVisit, reserveForForm } from '../store/visits.ts';

interface OpenCardForm {
  database: Database;
  merchants: MerchantDirectory;
  clock: Clock;
  log: Log;
}

/** Opens the card form for ten minutes, unless the link is used up. A card whose outcome is unknown delays it. */
export async function openCardForm(
  parts: OpenCardForm,
  id: string,
  payerGroup: number | null,
): Promise<void> {
  const { database, merchants, clock } = parts;
  const { checkout, link, charge } = await readVisit(database, id);
  demandMethod(link, 'CARD');
  if (checkout.use === 'USED') return;
  if (checkout.isLiving && charge?.paymentMethod === 'CARD') throw outcomeUnknown();
  demandTriesLeft(checkout);
  const merchant = await merchants.get(link.merchantId);
  demandMayCharge(merchant, link);
  demandCardAllowed(merchant, link.environment, 1);
  await demandCards(parts, { link, checkout, payerGroup }, 'form');
  await database.transaction((tx) => reserveForForm(tx, clock, id));
}
