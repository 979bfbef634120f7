import { type Database, isTransientDatabaseError } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { Outcome } from '../domain/books.ts';
import type { FactOf } from '../domain/fact.ts';
import { failPoint } from '../fail-points.ts';
import { gathered } from '../gathered.ts';
import { reportOutcome } from '../report-outcome.ts';
import { againIfDuplicate } from '../store/journal.ts';
import { postFacts } from '../store/post-facts.ts';

/** A refund comes with the payment of its charge, so that it may overtake the event that tells of it. */
export type DebitOrder = [FactOf<'charge_paid'>, FactOf<'refund'>] | [FactOf<'withdrawal_created'>];

export type TakeDebit = (order: DebitOrder) => Promise<void>;

const BATCH_SIZE = 200;

/**
 * Takes money from its merchant, or refuses. Debits that wait at the same instant are posted together. Asked
 * again it answers the same, for ever, and nothing is posted twice; only what `isAgain` is not refused for ever.
 */
export function createDebits({ database, log }: { database: Database; log: Log }): TakeDebit {
  const post = gathered<DebitOrder, Outcome>({
    limit: BATCH_SIZE,
    work: (orders) => againIfDuplicate(() => database.transaction((tx) => postFacts(tx, orders))),
    isHopeless: isTransientDatabaseError,
  });

  return async function takeDebit(order) {
    const outcome = await post(order);
    failPoint('debit.taken');
    reportOutcome(log, outcome);
    if (outcome.is === 'refused') throw outcome.refusal;
    if (outcome.is === 'posted' || outcome.is === 'known') return;
    const message = 'id: the books know it, or its charge, with another amount, charge or merchant';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  };
}
