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

/** A refund brings the payment of its charge, because it may arrive before the event of the payment. */
export type DebitRequest = [FactOf<'charge_paid'>, FactOf<'refund'>] | [FactOf<'withdrawal_created'>];

export type TakeDebit = (request: DebitRequest) => Promise<void>;

const BATCH_SIZE = 200;

/**
 * Posts a debit, together with others that wait. A repeat gets the same answer and posts nothing; with
 * `isAgain` a refusal is not final. Throws the posting's Refusal, or INVALID_STATE for other content.
 */
export function createDebits({ database, log }: { database: Database; log: Log }): TakeDebit {
  const post = gathered<DebitRequest, Outcome>({
    limit: BATCH_SIZE,
    work: (requests) => againIfDuplicate(() => database.transaction((tx) => postFacts(tx, requests))),
    isHopeless: isTransientDatabaseError,
  });

  return async function takeDebit(request) {
    const outcome = await post(request);
    failPoint('debit.taken');
    reportOutcome(log, outcome);
    if (outcome.is === 'refused') throw outcome.refusal;
    if (outcome.is === 'posted' || outcome.is === 'known') return;
    const message = 'id: the books know it, or its charge, with another amount, charge or merchant';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  };
}
