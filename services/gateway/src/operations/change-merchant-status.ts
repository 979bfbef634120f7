import { type Database, isDuplicate } from '@plataforma/data';
import { Refusal, requireNext } from '@plataforma/kernel';
import { isCnpj } from '@plataforma/kernel/documents';
import { announce, writeAudit } from '@plataforma/tables';
import { announcementOf } from '../domain/announcement.ts';
import { type Organization, type OrganizationStep, organizationTransitions } from '../domain/organization.ts';
import { failPoint } from '../fail-points.ts';
import { lockOrganization, saveOrganization } from '../store/organizations.ts';

const WRONG_CNPJ =
  'cnpj: its check digits are wrong; reject the merchant, or send {"force": true} to approve it all the same';

interface MerchantStatusChange {
  operatorId: string;
  merchantId: string;
  step: OrganizationStep;
  reason?: string | undefined;
  /** Approves a CNPJ although its check digits are wrong. */
  force?: boolean | undefined;
}

/**
 * Approves, rejects, suspends or reactivates a merchant. Throws ACCOUNT_EXISTS if another approved account
 * has the same CNPJ, and INVALID_CNPJ for an approval without `force` if its check digits are wrong.
 */
export async function changeMerchantStatus(
  database: Database,
  change: MerchantStatusChange,
): Promise<Organization> {
  try {
    return await saveChange(database, change);
  } catch (error) {
    if (!isDuplicate(error, 'organizations_approved_cnpj')) throw error;
    throw new Refusal('conflict', 'ACCOUNT_EXISTS', 'cnpj: an approved account with it exists already');
  }
}

function saveChange(
  database: Database,
  { operatorId, merchantId, step, reason, force = false }: MerchantStatusChange,
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const before = await lockOrganization(tx, merchantId);
    if (!before) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
    const status = requireNext(organizationTransitions, { noun: 'merchant', status: before.status }, step);
    const isForced = step === 'approve' && !isCnpj(before.cnpj);
    if (isForced && !force) throw new Refusal('unprocessable', 'INVALID_CNPJ', WRONG_CNPJ);
    const after = { ...before, status, version: before.version + 1 };
    await saveOrganization(tx, after);
    await writeAudit(tx, {
      operatorId,
      action: `merchant.${step}`,
      subjectId: merchantId,
      before: { status: before.status },
      after: { status: after.status, ...(isForced && { force }) },
      reason: reason ?? null,
    });
    await announce(tx, announcementOf(after));
    failPoint('status.changed');
    return after;
  });
}
