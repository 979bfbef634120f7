import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime } from '@plataforma/service';
import { anotherVisit, type Checkout, newCheckout, type Visitor } from '../domain/checkout.ts';
import { linkNotOpen, linkStateOf, noUsesLeft } from '../domain/payment-link.ts';
import { findCheckout, insertCheckout } from '../store/checkouts.ts';
import { countOf, getLinkBySlug, requireLinkSeal } from '../store/payment-links.ts';

/**
 * Begins a visit, or returns an existing visit if the caller knows its id. The payer's document is not
 * enough, because other people may guess it.
 */
export async function openCheckout(
  { database, merchants, clock }: { database: Database; merchants: MerchantDirectory; clock: Clock },
  slug: string,
  visitor: Visitor,
): Promise<{ checkout: Checkout; isNew: boolean }> {
  const link = await getLinkBySlug(database, slug);
  requireLinkSeal(database, link);
  const now = clock();
  const checkout = newCheckout(link, visitor, now);
  const existing = visitor.id === undefined ? null : await findCheckout(database, visitor.id);
  if (existing) return { checkout: requireSame(existing, checkout), isNew: false };
  const time = await merchantTime(database, clock, link);
  const state = linkStateOf(link, { merchant: await merchants.get(link.merchantId), now: time });
  if (state === 'CLOSED' || state === 'EXPIRED') throw linkNotOpen();
  if (state === 'USED_UP') throw noUsesLeft();
  const isNew = await database.transaction(async (tx) => {
    const isInserted = await insertCheckout(tx, checkout);
    if (isInserted) await countOf(tx, link.id, { visits: 0, starts: 1 });
    return isInserted;
  });
  if (isNew) return { checkout, isNew };
  // Another request with the same id inserted the visit at the same moment.
  const first = await findCheckout(database, checkout.id);
  return { checkout: requireSame(first, checkout), isNew };
}

function requireSame(existing: Checkout | null, { linkId, payerDocument, amount }: Checkout): Checkout {
  const isSame =
    existing?.linkId === linkId && existing.payerDocument === payerDocument && existing.amount === amount;
  if (!existing || !isSame) throw anotherVisit();
  return existing;
}
