import { type Database, isTransientDatabaseError, type Log, type Transaction } from '@plataforma/chassis';
import { Refusal } from '@plataforma/kernel';
import type { Outcome } from '../domain/books.ts';
import type { FactOf } from '../domain/fact.ts';
import { notCovered } from '../domain/refund-postings.ts';
import { gathered } from '../gathered.ts';
import { lockRefusedRefunds, rememberRefusals } from '../store/refund-answers.ts';
import { postFacts } from './post-facts.ts';
import { reportOutcome } from './report-outcome.ts';

/** A refund comes with the payment of its charge, so that it may overtake the event that tells of it. */
export interface RefundOrder {
  paid: FactOf<'charge_paid'>;
  refund: FactOf<'refund'>;
}

const BATCH_SIZE = 200;

/**
 * Takes the money of a refund from its merchant, or refuses. Refunds that wait at the same instant are posted
 * together. Asked again it answers the same, for ever, and nothing is posted twice.
 */
export function createRefunds({ database, log }: { database: Database; log: Log }) {
  const post = gathered<RefundOrder, Outcome>({
    limit: BATCH_SIZE,
    work: (orders) => database.transaction((tx) => answer(tx, orders)),
    isHopeless: isTransientDatabaseError,
  });

  return async function refundCharge(order: RefundOrder): Promise<void> {
    const outcome = await post(order);
    reportOutcome(log, outcome);
    if (outcome.is === 'refused') throw outcome.refusal;
    if (outcome.is === 'posted' || outcome.is === 'known') return;
    const message = 'id: the books know this refund, or its charge, with another amount, charge or merchant';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  };
}

async function answer(tx: Transaction, orders: readonly RefundOrder[]): Promise<Outcome[]> {
  const idOf = ({ refund }: RefundOrder) => refund.reference;
  const refusedBefore = await lockRefusedRefunds(tx, orders.map(idOf));
  const open = orders.filter((order) => !refusedBefore.has(idOf(order)));
  const posted = await postFacts(
    tx,
    open.map(({ paid, refund }) => [paid, refund]),
  );
  const outcomes = new Map(open.map((order, index) => [order, posted[index]]));
  const refused = open.filter((order) => outcomes.get(order)?.is === 'refused');
  await rememberRefusals(tx, refused.map(idOf));
  return orders.map((order) => outcomes.get(order) ?? { is: 'refused', refusal: notCovered() });
}
