import type { FaultKind } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Delivery } from '../domain/delivery.ts';
import { delayMs, type FaultTimes } from '../domain/webhook-fault.ts';
import { applyNext, delayDelivery, findApplied, isOvertaken, lockLeased } from '../store/webhook-faults.ts';

/**
 * Returns the fault for the next attempt of a delivery, or null. The assignment is stored, so that the death
 * of the process neither loses a fault nor uses it twice. `released` means that this attempt is not made now:
 * the delivery was delayed, or its lease is lost.
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
