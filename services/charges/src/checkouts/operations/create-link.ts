import type { Database } from '@plataforma/data';
import type { SaveResponse } from '@plataforma/http';
import type { Clock, Tenant } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime } from '@plataforma/service';
import { requireCardAllowed } from '../../domain/card.ts';
import { requireRoomForLogo } from '../domain/logo.ts';
import { type LinkFields, newPaymentLink, type PaymentLink } from '../domain/payment-link.ts';
import { countLinksWithLogo, insertLink } from '../store/payment-links.ts';

export async function createLink(
  { database, clock, merchants }: { database: Database; clock: Clock; merchants: MerchantDirectory },
  { tenant, fields }: { tenant: Tenant; fields: LinkFields },
  saveResponse: SaveResponse<PaymentLink>,
): Promise<PaymentLink> {
  const { merchantId, environment } = tenant;
  if (fields.methods?.includes('CARD')) {
    requireCardAllowed(await merchants.get(merchantId), environment, 1);
  }
  const link = newPaymentLink(fields, { ...tenant, now: await merchantTime(database, clock, tenant) });
  await database.transaction(async (tx) => {
    if (link.logo !== null) requireRoomForLogo(await countLinksWithLogo(tx, tenant));
    await insertLink(tx, link);
    await saveResponse(tx, link);
  });
  return link;
}
