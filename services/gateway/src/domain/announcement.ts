import type { Announcement, MerchantSnapshot } from '@plataforma/events';
import type { Organization } from './organization.ts';
import { withdrawalLimitsOf } from './withdrawal-limits.ts';

/** Returns the data of a merchant that other services store. */
export function snapshotOf(organization: Organization): MerchantSnapshot {
  const { id, version, companyName: name, cnpj, phone, status, checkoutColor } = organization;
  const { settings, sandboxAheadMs } = organization;
  const { sandbox: sandboxLimits } = withdrawalLimitsOf(organization);
  const shop = { id, version, name, cnpj, phone, status, checkoutColor };
  return { ...shop, ...settings, sandboxLimits, sandboxAheadMs };
}

/** Builds the event about a moved sandbox clock, for services that do not store merchants. */
export function clockMoved({ id, version, sandboxAheadMs }: Organization): Announcement {
  return {
    type: 'merchant.clock_moved',
    ...{ merchantId: id, environment: null, aggregateId: id, sequence: version },
    data: { id, sandboxAheadMs },
  };
}

export function announcementOf(organization: Organization): Announcement {
  const { id, version } = organization;
  return {
    type: 'merchant.updated',
    merchantId: id,
    environment: null,
    aggregateId: id,
    sequence: version,
    data: snapshotOf(organization),
  };
}
