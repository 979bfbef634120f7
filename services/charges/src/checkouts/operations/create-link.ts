import type { Database } from '@plataforma/data';
import type { Keep } from '@plataforma/http';
import type { Clock, Tenant } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { type LinkTerms, newPaymentLink, type PaymentLink } from '../domain/payment-link.ts';
import { insertLink } from '../store/payment-links.ts';

export async function createLink(
  { database, clock }: { database: Database; clock: Clock },
  { tenant, terms }: { tenant: Tenant; terms: LinkTerms },
  keep: Keep<PaymentLink>,
): Promise<PaymentLink> {
  const link = newPaymentLink(terms, { ...tenant, now: await merchantTime(database, clock, tenant) });
  await database.transaction(async (tx) => {
    await insertLink(tx, link);
    await keep(tx, link);
  });
  return link;
}
