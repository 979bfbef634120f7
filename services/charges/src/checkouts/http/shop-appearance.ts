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
    merchantWithContact(merchants, merchantId),
    link?.logo ?? findMerchantLogo(database, merchantId),
  ]);
  return { merchant, logo, color: link?.color ?? merchant.checkoutColor };
}

/**
 * Gets the merchant. A copy from release 0.6.0 lacks the CNPJ and the phone number, so each view asks the
 * gateway until a gateway of this release answers. The page opens even without these fields.
 */
async function merchantWithContact(
  merchants: MerchantDirectory,
  merchantId: string,
): Promise<MerchantSnapshot> {
  const merchant = await merchants.get(merchantId);
  return merchant.cnpj === undefined ? merchants.refresh(merchantId).catch(() => merchant) : merchant;
}

/** Returns the legal details of the merchant that a buyer's page must show (Decree 7.962/2013). */
export function sellerView({ name, cnpj, phone }: MerchantSnapshot) {
  return { merchantName: name, merchantCnpj: cnpj ?? null, merchantPhone: phone ?? null };
}
