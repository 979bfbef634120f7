import type { Database } from '@plataforma/data';
import { announce } from '@plataforma/messaging';
import type { Organization } from '../domain/organization.ts';
import { announcementOf } from '../steps/announcement.ts';
import { lockOrganization, saveProfile } from '../store/organizations.ts';

interface ProfileChange {
  merchantId: string;
  checkoutColor?: string | undefined;
  phone?: string | undefined;
}

/** Changes what a merchant says of itself. The other services know of the colour only, and are told only of that. */
export function changeAccount(
  database: Database,
  { merchantId, checkoutColor, phone }: ProfileChange,
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const before = await lockOrganization(tx, merchantId);
    if (!before) throw new Error('an organization vanished');
    const profile = { checkoutColor: checkoutColor ?? before.checkoutColor, phone: phone ?? before.phone };
    const isRecoloured = profile.checkoutColor !== before.checkoutColor;
    if (!isRecoloured && profile.phone === before.phone) return before;
    const after = { ...before, ...profile, version: before.version + (isRecoloured ? 1 : 0) };
    await saveProfile(tx, after);
    if (isRecoloured) await announce(tx, announcementOf(after));
    return after;
  });
}
