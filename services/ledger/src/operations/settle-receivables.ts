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
  /** Returns whether the process is stopping. The other receivables are due again after their lease. */
  isStopped?: () => boolean;
}

/**
 * Makes the remaining amounts available, read under the wallet's lock. A receivable that fails delays no
 * other and is due again after its lease.
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
    log.warn({ err: error, receivables: due.length }, 'batch of due receivables not settled');
    for (const [index, facts] of groups.entries()) {
      if (isStopped()) return;
      await database
        .transaction((tx) => postFacts(tx, [facts]))
        .catch((err) => log.error({ err, chargeId: due[index]?.chargeId }, 'due receivable not settled'));
    }
  }
}

function settlementOf(receivable: Receivable, now: Date): Fact {
  const { merchantId, environment, chargeId, dueReference } = receivable;
  const occurredAt = now.toISOString();
  return { kind: 'receivable_due', reference: dueReference, merchantId, environment, occurredAt, chargeId };
}
