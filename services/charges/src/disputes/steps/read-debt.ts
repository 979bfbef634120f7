import { setTimeout } from 'node:timers/promises';
import type { Cents, Tenant } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import type { Log } from '@plataforma/observe';

export interface Books {
  ledger: Pick<LedgerClient, 'disputeDebt'>;
  log: Log;
}

/** The event of the opening reaches the books within a second. */
const TRIES = 5;
const PAUSE_MS = 200;

/**
 * Asks the books what the reserve of a dispute lacked. Null: they did not answer or do not have it yet; a decision
 * waits for neither.
 */
export async function readDebt(
  { ledger, log }: Books,
  { id, ...tenant }: Tenant & { id: string },
): Promise<Cents | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      const debt = await ledger.disputeDebt(tenant, id);
      if (debt !== null || tries === TRIES) return debt;
    } catch (err) {
      log.warn({ err, disputeId: id }, 'debt of a dispute not read');
      return null;
    }
    await setTimeout(PAUSE_MS);
  }
}
