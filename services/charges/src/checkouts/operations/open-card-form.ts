import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { MerchantDirectory } from '@plataforma/service';
import { requireCardAllowed } from '../../domain/card.ts';
import { outcomeUnknown, requireMethod, requireTriesLeft } from '../domain/checkout.ts';
import { requireMayCharge } from '../domain/payment-link.ts';
import { requireCards } from '../store/link-cards.ts';
import { readVisit, reserveForForm } from '../store/visits.ts';

/**
 * Opens the card form for ten minutes. Refuses when the outcome of another card is unknown, or when all uses
 * of the link are paid.
 */
export async function openCardForm(
  dependencies: { database: Database; merchants: MerchantDirectory; clock: Clock; log: Log },
  id: string,
  payerGroup: number | null,
): Promise<void> {
  const { database, merchants, clock } = dependencies;
  const { checkout, link, charge } = await readVisit(database, id);
  requireMethod(link, 'CARD');
  if (checkout.use === 'USED') return;
  if (checkout.isLiving && charge?.paymentMethod === 'CARD') throw outcomeUnknown();
  requireTriesLeft(checkout);
  const merchant = await merchants.get(link.merchantId);
  requireMayCharge(merchant, link);
  requireCardAllowed(merchant, link.environment, 1);
  await requireCards(dependencies, { link, checkout, payerGroup }, 'form');
  await database.transaction((tx) => reserveForForm(tx, clock, id));
}
