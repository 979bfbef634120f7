import type { Database } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { requireRoomForLogo } from '../domain/logo.ts';
import { changedLink, type LinkChange } from '../domain/payment-link.ts';
import { countLinksWithLogo, lockLink, saveLink } from '../store/payment-links.ts';

/**
 * Changes a link, except its amounts. Refuses a limit of uses below the number of uses that are already paid.
 */
export async function changeLink(
  { database }: { database: Database },
  { tenant, id, change }: { tenant: Tenant; id: string; change: LinkChange },
): Promise<void> {
  await database.transaction(async (tx) => {
    const link = await lockLink(tx, tenant, id);
    const changed = changedLink(link, change);
    if (link.logo === null && changed.logo !== null) requireRoomForLogo(await countLinksWithLogo(tx, tenant));
    await saveLink(tx, changed);
  });
}
