import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { announce, writeAudit } from '@plataforma/tables';
import { announcementOf } from '../domain/announcement.ts';
import type { Organization, Settings } from '../domain/organization.ts';
import { lockOrganization, saveSettings } from '../store/organizations.ts';

interface SettingsChange {
  operatorId: string;
  merchantId: string;
  changes: { [Name in keyof Settings]?: Settings[Name] | undefined };
}

/**
 * Sets the fees and limits of a merchant. A limit that is set applies to the sandbox too. The new values
 * apply to charges and withdrawals created later, and to withdrawals that wait without an approval. A change
 * that has no effect is neither recorded nor announced.
 */
export function changeSettings(
  database: Database,
  { operatorId, merchantId, changes }: SettingsChange,
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const before = await lockOrganization(tx, merchantId);
    if (!before) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
    const changed = withChanges(before, changes);
    if (isDeepStrictEqual(changed, before)) return before;
    const after = { ...changed, version: before.version + 1 };
    await saveSettings(tx, after);
    await writeAudit(tx, {
      operatorId,
      action: 'merchant.settings',
      subjectId: merchantId,
      before: { ...before.settings, sandboxLimits: before.sandboxLimits },
      after: { ...after.settings, sandboxLimits: after.sandboxLimits },
      reason: null,
    });
    await announce(tx, announcementOf(after));
    return after;
  });
}

function withChanges(merchant: Organization, changes: SettingsChange['changes']): Organization {
  const said = new Map(Object.entries(changes).filter(([, value]) => value !== undefined));
  const sandboxOnly = Object.entries(merchant.sandboxLimits).filter(([name]) => !said.has(name));
  return {
    ...merchant,
    settings: { ...merchant.settings, ...Object.fromEntries(said) },
    sandboxLimits: Object.fromEntries(sandboxOnly),
  };
}
