import { type Database, writeAudit } from '@plataforma/chassis';
import { Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { type Organization, statusAfter } from '../domain/organization.ts';
import { lockOrganization, saveOrganizationStatus } from '../store/organizations.ts';
import { announcementOf } from './announcement.ts';

/** Opens production for a merchant. */
export function approveMerchant(
  database: Database,
  { operatorId, merchantId }: { operatorId: string; merchantId: string },
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const before = await lockOrganization(tx, merchantId);
    if (!before) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
    const after = { ...before, status: statusAfter(before.status, 'approve'), version: before.version + 1 };
    await saveOrganizationStatus(tx, after);
    await writeAudit(tx, {
      operatorId,
      action: 'merchant.approve',
      subjectId: merchantId,
      before: { status: before.status },
      after: { status: after.status },
      reason: null,
    });
    await announce(tx, announcementOf(after));
    return after;
  });
}
