import type { Page } from '@plataforma/data';
import type { MerchantIdentity } from '@plataforma/http';

/**
 * Removes the payer's name from a refund or dispute if the caller may not read charges. A key that only
 * refunds or answers disputes needs no names.
 */
export function withReadableName<Item extends { payerName: string | null }>(
  item: Item,
  { scopes }: Pick<MerchantIdentity, 'scopes'>,
): Item {
  if (scopes.includes('charges:read') || scopes.includes('charges:write')) return item;
  return { ...item, payerName: null };
}

export function withReadableNames<Item extends { payerName: string | null }>(
  page: Page<Item>,
  merchant: Pick<MerchantIdentity, 'scopes'>,
): Page<Item> {
  return { ...page, items: page.items.map((item) => withReadableName(item, merchant)) };
}
