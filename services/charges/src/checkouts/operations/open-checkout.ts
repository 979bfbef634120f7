import { type Checkout, newCheckout } from '../domain/checkout.ts';
import { hasUse, linkNotOpen, linkStateOf, noSuchLink, noUsesLeft } from '../domain/payment-link.ts';
import type { HoldUse } from '../steps/hold-use.ts';
import { findHolder, insertCheckout } from '../store/checkouts.ts';
import { countOf, findLinkBySlug } from '../store/payment-links.ts';

interface Visitor {
  payerName?: string | undefined;
  payerDocument?: string | undefined;
  amount?: number | undefined;
}

/** Begins a visit, which takes no use yet; on a link of one use the payer who has it comes back to it. */
export async function openCheckout(
  { database, merchants, clock }: HoldUse,
  slug: string,
  visitor: Visitor,
): Promise<{ checkout: Checkout; isNew: boolean }> {
  const link = await findLinkBySlug(database, slug);
  if (!link) throw noSuchLink();
  const now = clock();
  const checkout = newCheckout(link, visitor, now);
  const holder = link.uses === 1 && (await findHolder(database, link.id, checkout.payerDocument));
  if (holder) return { checkout: holder, isNew: false };
  const state = linkStateOf(link, { merchant: await merchants.find(link.merchantId), now });
  if (state === 'CLOSED' || state === 'EXPIRED') throw linkNotOpen();
  if (!hasUse(link)) throw noUsesLeft();
  await database.transaction(async (tx) => {
    await insertCheckout(tx, checkout);
    await countOf(tx, link.id, { visits: 0, starts: 1 });
  });
  return { checkout, isNew: true };
}
