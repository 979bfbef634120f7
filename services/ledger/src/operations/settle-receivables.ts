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
  /**
   * Returns true if the process is stopping. The remaining receivables become due again when their lease
   * ends.
   */
  isStopped?: () => boolean;
}

/**
 * Makes the remaining money of due receivables available. After a failed batch it tries each receivable
 * alone. A receivable that fails again becomes due when its lease ends.
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
  const orderedBy = 'service:ledger' as const;
  const about = { reference: dueReference, merchantId, environment, chargeId };
  return { kind: 'receivable_due', ...about, occurredAt, orderedBy };
}
