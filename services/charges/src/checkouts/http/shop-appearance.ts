import type { Queryable } from '@plataforma/data';
import type { MerchantSnapshot } from '@plataforma/events';
import type { MerchantDirectory } from '@plataforma/service';
import type { PaymentLink } from '../domain/payment-link.ts';
import { findMerchantLogo } from '../store/merchant-logos.ts';

/**
 * The merchant's appearance on a buyer's page: the colour and logo of the link, or of the account if the link
 * has none.
 */
export interface ShopAppearance {
  merchant: MerchantSnapshot;
  color: string;
  logo: string | null;
}

export async function shopAppearance(
  { merchants, database }: { merchants: MerchantDirectory; database: Queryable },
  merchantId: string,
  link: Pick<PaymentLink, 'color' | 'logo'> | null,
): Promise<ShopAppearance> {
  const [merchant, logo] = await Promise.all([
    merchants.get(merchantId),
    link?.logo ?? findMerchantLogo(database, merchantId),
  ]);
  return { merchant, logo, color: link?.color ?? merchant.checkoutColor };
}
