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
 * Makes what is left of receivables available. What a refund, a dispute or another replica has taken
 * meanwhile is seen under the lock. One that can't be posted holds up no other: it is looked at again when
 * its lease is over.
 */
export async function settleReceivables(
  { database, log, isStopped = () => false }: SettleReceivables,
  due: readonly Receivable[],
  now: Date,
): Promise<void> {
  const aheadOf = await aheadOfEach(database, due);
  const messages = due.map((receivable) => [
    settlementOf(receivable, new Date(now.getTime() + aheadOf(receivable))),
  ]);
  try {
    await database.transaction((tx) => postFacts(tx, messages));
    failPoint('receivables.settled');
  } catch (error) {
    log.warn({ err: error, receivables: due.length }, 'due receivables could not be settled together');
    for (const [index, facts] of messages.entries()) {
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
