import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@plataforma/data';
import { normalisePhone, type TimeZone } from '@plataforma/kernel';
import { announce } from '@plataforma/tables';
import { announcementOf } from '../domain/announcement.ts';
import type { Organization } from '../domain/organization.ts';
import { lockOrganization, saveOrganization } from '../store/organizations.ts';

interface ProfileChange {
  merchantId: string;
  checkoutColor?: string | undefined;
  phone?: string | undefined;
  timeZone?: TimeZone | undefined;
}

/**
 * Changes the profile of a merchant. The event contains the colour and the phone number, but not the time
 * zone, because the gateway adds the time zone to each call.
 */
export function changeAccount(
  database: Database,
  { merchantId, ...change }: ProfileChange,
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const before = await lockOrganization(tx, merchantId);
    if (!before) throw new Error('an organization vanished');
    const { checkoutColor = before.checkoutColor, timeZone = before.timeZone } = change;
    // An earlier release may have stored the same phone number in another format. The stored text then stays
    // unchanged.
    const isOther = change.phone !== normalisePhone(before.phone);
    const phone = (isOther && change.phone) || before.phone;
    const profile = { ...before, checkoutColor, phone, timeZone };
    if (isDeepStrictEqual(profile, before)) return before;
    const isAnnounced = checkoutColor !== before.checkoutColor || phone !== before.phone;
    const after = { ...profile, version: before.version + (isAnnounced ? 1 : 0) };
    await saveOrganization(tx, after);
    if (isAnnounced) await announce(tx, announcementOf(after));
    return after;
  });
}
