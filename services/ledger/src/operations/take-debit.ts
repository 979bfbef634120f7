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

/**
 * The facts of a debit. A refund's request also contains the charge's payment, because the request may arrive
 * before the event of the payment.
 */
export type DebitRequest = [FactOf<'charge_paid'>, FactOf<'refund'>] | [FactOf<'withdrawal_created'>];

export type TakeDebit = (request: DebitRequest) => Promise<void>;

const BATCH_SIZE = 200;

/**
 * Returns a function that posts a debit in a batch with other waiting debits. A repeated request gets the
 * same answer and posts nothing. The function throws the Refusal of the posting, or INVALID_STATE if the id
 * was posted with other data.
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
    const message = 'id: the books have it, or its charge, with another amount, charge or merchant';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  };
}
