import type { Database, SecretBox } from '@plataforma/data';
import type { OutboundRules } from '@plataforma/http';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { type Configuration, noSuchConfiguration } from '../domain/configuration.ts';
import { DELIVERIES_SIGNAL } from '../domain/delivery.ts';
import { reasonAgainstSecret } from '../domain/signing-secret.ts';
import { requireCallable } from '../sending/send-attempt.ts';
import { lockConfiguration, saveConfiguration } from '../store/configurations.ts';

type Changeable = Pick<Configuration, 'url' | 'events' | 'isActive' | 'signatureVersion' | 'retrySchedule'>;
type Changes = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

/**
 * Changes the given fields of a configuration. Waiting deliveries use the new settings, because a claim reads
 * the settings for each attempt.
 */
export async function changeConfiguration(
  { database, secretBox, callable }: { database: Database; secretBox: SecretBox; callable: OutboundRules },
  tenant: Tenant,
  { id, ...changes }: Changes & { id: string },
): Promise<Configuration> {
  if (changes.url !== undefined) requireCallable(changes.url, callable);
  return database.transaction(async (tx) => {
    const locked = await lockConfiguration(tx, tenant, id);
    if (!locked) throw noSuchConfiguration();
    const changed = withChanges(locked.configuration, changes);
    const isStandardAnew =
      changes.signatureVersion === 'standard' && locked.configuration.signatureVersion === 'v1';
    if (isStandardAnew) requireStandardSecret(secretBox.open(locked.secret, id));
    await saveConfiguration(tx, changed, locked.secret);
    // The signal makes the sender end the deliveries of a configuration that became inactive.
    tx.signalAfterCommit(DELIVERIES_SIGNAL);
    return changed;
  });
}

function requireStandardSecret(secret: string): void {
  const reason = reasonAgainstSecret(secret, 'standard');
  if (reason) throw new Refusal('conflict', 'INVALID_STATE', `the secret ${reason}: rotate it first`);
}

function withChanges(configuration: Configuration, changes: Changes): Configuration {
  return {
    ...configuration,
    url: changes.url ?? configuration.url,
    events: [...new Set(changes.events ?? configuration.events)],
    isActive: changes.isActive ?? configuration.isActive,
    signatureVersion: changes.signatureVersion ?? configuration.signatureVersion,
    retrySchedule: changes.retrySchedule ?? configuration.retrySchedule,
  };
}
