import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { aheadOfEach } from '@plataforma/service';
import type { Fact } from '../domain/fact.ts';
import type { Receivable } from '../domain/receivable.ts';
import { failPoint } from '../fail-points.ts';
import { postFacts } from '../store/post-facts.ts';

interface SettleReceivables {
  database: Database;
  log: Log;
  /** Tells whether the process ends; what is left is due again when its lease is over. */
  isStopped?: () => boolean;
}

/**
 * Makes the rest of receivables available. The lock shows amounts that a refund, a dispute or another replica has taken
 * meanwhile. A receivable that can't be posted delays no other and is due again when its lease is over.
 */
export async function settleReceivables(
  { database, log, isStopped = () => false }: SettleReceivables,
  due: readonly Receivable[],
  now: Date,
): Promise<void> {
  const aheadOf = await aheadOfEach(database, due);
  const groups = due.map((receivable) => [
    settlementOf(receivable, new Date(now.getTime() + aheadOf(receivable))),
  ]);
  try {
    await database.transaction((tx) => postFacts(tx, groups));
    failPoint('receivables.settled');
  } catch (error) {
    log.warn({ err: error, receivables: due.length }, 'due receivables could not be settled together');
    for (const [index, facts] of groups.entries()) {
      if (isStopped()) return;
      await database
        .transaction((tx) => postFacts(tx, [facts]))
        .catch((err) =>
          log.error({ err, chargeId: due[index]?.chargeId }, 'a due receivable could not be settled'),
        );
    }
  }
}

function settlementOf(receivable: Receivable, now: Date): Fact {
  const { merchantId, environment, chargeId, dueReference } = receivable;
  const occurredAt = now.toISOString();
  return { kind: 'receivable_due', reference: dueReference, merchantId, environment, occurredAt, chargeId };
}
