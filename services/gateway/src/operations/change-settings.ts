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
 * Sets the fees and limits of a merchant. The new values apply to charges and withdrawals created later. A
 * change that has no effect is neither recorded nor announced.
 */
export function changeSettings(
  database: Database,
  { operatorId, merchantId, changes }: SettingsChange,
): Promise<Organization> {
  return database.transaction(async (tx) => {
    const before = await lockOrganization(tx, merchantId);
    if (!before) throw new Refusal('missing', 'NOT_FOUND', 'there is no merchant with this id');
    const settings = withChanges(before.settings, changes);
    if (isDeepStrictEqual(settings, before.settings)) return before;
    const after = { ...before, settings, version: before.version + 1 };
    await saveSettings(tx, after);
    await writeAudit(tx, {
      operatorId,
      action: 'merchant.settings',
      subjectId: merchantId,
      before: { ...before.settings },
      after: { ...settings },
      reason: null,
    });
    await announce(tx, announcementOf(after));
    return after;
  });
}

function withChanges(settings: Settings, changes: SettingsChange['changes']): Settings {
  const said = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(said) };
}
