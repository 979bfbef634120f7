import type { Database } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { changedLink, type LinkChange, noSuchLink } from '../domain/payment-link.ts';
import { lockLink, saveLink } from '../store/payment-links.ts';

/** What buyers pay stays; uses may not be fewer than are taken at this moment. */
export async function changeLink(
  { database }: { database: Database },
  { tenant, id, change }: { tenant: Tenant; id: string; change: LinkChange },
): Promise<void> {
  await database.transaction(async (tx) => {
    const link = await lockLink(tx, tenant, id);
    if (!link) throw noSuchLink();
    await saveLink(tx, changedLink(link, change));
  });
}
