import { isDeepStrictEqual } from 'node:util';
import { api } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import {
  type Decision,
  decidersIn,
  inReais,
  type ProposalDependencies,
  proposedAction,
  type Requested,
  requestChange,
} from '@plataforma/service';
import { announce, writeAudit } from '@plataforma/tables';
import { z } from 'zod';
import { announcementOf } from '../domain/announcement.ts';
import type { Organization } from '../domain/organization.ts';
import { isNarrower, type SettingChanges } from '../domain/setting-changes.ts';
import { lockOrganization, readOrganization, saveOrganization } from '../store/organizations.ts';

interface SettingsChange {
  merchantId: string;
  changes: SettingChanges;
}

const given = z.object({
  merchantId: z.uuid(),
  companyName: z.string(),
  changes: api.changeMerchantSettings.body,
});

export const settingsChange = proposedAction({
  ...{ name: 'merchant.settings', endpoint: api.changeMerchantSettings, schema: given },
  effect: ({ merchantId, companyName, changes }) => {
    const said = Object.entries(changes).map(([name, value]) => `${name} to ${textOf(name, value)}`);
    return `Set for the merchant “${companyName}” (${merchantId}): ${said.join(', ')}.`;
  },
  execute: (tx, change, decision) => changeIn(tx, change, decision),
});

const IN_CENTS = /Fixed$|^withdrawalFee$|Limit$/;

function textOf(name: string, value: string | number | boolean | null | undefined): string {
  if (value === null) return 'no limit';
  if (typeof value !== 'number') return String(value);
  if (name.endsWith('Bps')) return `${(value / 100).toFixed(2)} %`;
  return IN_CENTS.test(name) ? inReais(value) : String(value);
}

/**
 * Sets the fees and limits of a merchant. Stores a proposal instead if the change touches a fee or lets the
 * merchant do more, and the installation has more than a single operator.
 */
export async function requestSettingsChange(
  { database, proposals }: { database: Database; proposals: ProposalDependencies },
  operatorId: string,
  { merchantId, changes }: SettingsChange,
): Promise<Requested<Organization>> {
  const before = await readOrganization(database, merchantId);
  if (!before) throw noSuchMerchant();
  if (isNarrower(before.settings, changes)) {
    const narrow = (tx: Transaction) => changeIn(tx, { merchantId, changes }, { operatorId });
    return { done: await database.transaction(narrow) };
  }
  const { companyName } = before;
  const request = { operatorId, arguments: { merchantId, companyName, changes }, subjectId: merchantId };
  return requestChange(proposals, settingsChange, { ...request, merchantId });
}

/**
 * Sets fees and limits. A new limit applies to the sandbox too. The new values apply to later charges and
 * withdrawals, and to withdrawals that wait without an approval. A change without effect is recorded and
 * announced only if it was proposed. Without a decision, only restrictions of the merchant are allowed.
 */
async function changeIn(
  tx: Transaction,
  { merchantId, changes }: SettingsChange,
  by: Decision | { operatorId: string },
): Promise<Organization> {
  const decision = 'proposal' in by ? by : null;
  const before = await lockOrganization(tx, merchantId);
  if (!before) throw noSuchMerchant();
  if (!decision && !isNarrower(before.settings, changes)) {
    throw new Refusal(
      'conflict',
      'INVALID_STATE',
      'the settings were changed just now; send the request again',
    );
  }
  const changed = withChanges(before, changes);
  if (isDeepStrictEqual(changed, before) && !decision?.proposal) return before;
  const after = { ...changed, version: before.version + 1 };
  await saveOrganization(tx, after);
  await writeAudit(tx, {
    operatorId: by.operatorId,
    action: 'merchant.settings',
    subjectId: merchantId,
    before: { ...before.settings, sandboxLimits: before.sandboxLimits },
    after: {
      ...{ ...after.settings, sandboxLimits: after.sandboxLimits },
      ...(decision && decidersIn(decision)),
    },
    reason: null,
  });
  await announce(tx, announcementOf(after));
  return after;
}

function withChanges(merchant: Organization, changes: SettingChanges): Organization {
  const said = new Map(Object.entries(changes).filter(([, value]) => value !== undefined));
  const sandboxOnly = Object.entries(merchant.sandboxLimits).filter(([name]) => !said.has(name));
  return {
    ...merchant,
    settings: { ...merchant.settings, ...Object.fromEntries(said) },
    sandboxLimits: Object.fromEntries(sandboxOnly),
  };
}

function noSuchMerchant(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
}
