import type { FaultKind } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import { newId, Refusal, type Tenant } from '@plataforma/kernel';
import { requireSandbox } from '@plataforma/service';
import { noSuchConfiguration } from '../domain/configuration.ts';
import { MAX_WAITING_FAULTS, type WebhookFault } from '../domain/webhook-fault.ts';
import { lockConfiguration } from '../store/configurations.ts';
import { countFaults, insertFault } from '../store/webhook-faults.ts';

interface CreateFault {
  database: Database;
  saveResponse: (tx: Transaction, fault: WebhookFault) => Promise<void>;
}

/**
 * Creates a fault for the next attempts to a sandbox configuration. Throws INVALID_STATE if the configuration
 * has MAX_WAITING_FAULTS already.
 */
export async function createFault(
  { database, saveResponse }: CreateFault,
  tenant: Tenant,
  { webhookId, kind, count }: { webhookId: string; kind: FaultKind; count: number },
): Promise<WebhookFault> {
  requireSandbox(tenant);
  return database.transaction(async (tx) => {
    if (!(await lockConfiguration(tx, tenant, webhookId))) throw noSuchConfiguration();
    if ((await countFaults(tx, webhookId)) >= MAX_WAITING_FAULTS) {
      const message = `${MAX_WAITING_FAULTS} faults of this webhook are not used up: wait, or delete one`;
      throw new Refusal('conflict', 'INVALID_STATE', message);
    }
    const { merchantId, environment } = tenant;
    const draft = { kind, count, id: newId(), merchantId, environment, configurationId: webhookId };
    const created = await insertFault(tx, draft);
    await saveResponse(tx, created);
    return created;
  });
}
