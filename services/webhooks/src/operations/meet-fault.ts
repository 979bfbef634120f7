import type { FaultKind } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Delivery } from '../domain/delivery.ts';
import { delayMs, type FaultTimes } from '../domain/webhook-fault.ts';
import { applyNext, delayDelivery, findApplied, isOvertaken, lockLeased } from '../store/webhook-faults.ts';

/**
 * Returns the fault for a delivery's next attempt, or null. Stores the choice, so that a crash neither loses
 * a fault nor uses it twice. Returns `released` if the attempt is delayed or the lease is lost.
 */
export function meetFault(
  database: Database,
  delivery: Delivery,
  times: FaultTimes,
): Promise<FaultKind | 'released' | null> {
  return database.transaction(async (tx) => {
    if (!(await lockLeased(tx, delivery))) return 'released';
    const fault = (await findApplied(tx, delivery)) ?? (await applyNext(tx, delivery));
    if (!fault) return null;
    const wasOvertaken = fault.kind === 'reorder' && (await isOvertaken(tx, delivery));
    const forMs = delayMs(fault, wasOvertaken, times);
    if (forMs === 0) return fault.kind;
    await delayDelivery(tx, delivery, forMs);
    return 'released';
  });
}
