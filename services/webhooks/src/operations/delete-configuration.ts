import type { Database } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { noSuchConfiguration } from '../domain/configuration.ts';
import { DELIVERIES_SIGNAL } from '../domain/delivery.ts';
import { markConfigurationDeleted } from '../store/configurations.ts';
import { forgetOldSecrets } from '../store/old-secrets.ts';
import { forgetFaults } from '../store/webhook-faults.ts';

/**
 * Marks a configuration as deleted and deletes its secret. The sender's next scan ends its waiting deliveries
 * without an attempt.
 */
export async function deleteConfiguration(database: Database, tenant: Tenant, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await markConfigurationDeleted(tx, tenant, id))) throw noSuchConfiguration();
    await forgetOldSecrets(tx, id);
    await forgetFaults(tx, id);
    tx.signalAfterCommit(DELIVERIES_SIGNAL);
  });
}
