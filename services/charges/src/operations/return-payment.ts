import type { StopSubject } from '@plataforma/contracts';
import type { Database, Transaction } from '@plataforma/data';
import type { Gate } from '@plataforma/http';
import type { Clock, ProviderScope } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { endByMerchantClock, type Stops } from '@plataforma/service';
import { type ExternalOrder, externalOrder } from '@plataforma/work';
import {
  type FoundRefund,
  RETURN_OPTIONS,
  type RefundDecision,
  type RefundOutcome,
} from '../domain/refund-outcome.ts';
import { failPoint } from '../fail-points.ts';
import { failureAfter, raiseOrderAlarm, reportOutcome } from '../store/order-outcomes.ts';
import { announceToLedger, announceToMerchant } from '../store/unmatched-payments.ts';
import { lockReturn, type ReturnOrder, saveReturn } from '../store/unmatched-returns.ts';

type PixReturn = Pick<ReturnOrder, 'endToEndId' | 'amount'> & { id: string };

interface PixReturns {
  supportsRefunds: boolean;
  refund(order: PixReturn, gate: Gate): Promise<RefundOutcome>;
  findRefund(order: PixReturn): Promise<FoundRefund | null>;
}

interface ReturnPayments {
  database: Database;
  pix(scope: ProviderScope): PixReturns;
  stops: Stops;
  clock: Clock;
  log: Log;
  /**
   * The time for which a refusal stays unconfirmed. It is longer than any order can take to reach the
   * provider.
   */
  refundUnconfirmedMs: number;
}

/**
 * The id of the refund that returns an unmatched payment. All orders for a payment have this id, so the
 * provider executes only one.
 */
const RETURN_ID = 'unexpected';
const NOT_SUPPORTED = 'the provider does not return money through its API';

export function returnOrders(dependencies: ReturnPayments): ExternalOrder<ReturnOrder> {
  const { database, pix, stops, clock } = dependencies;
  const answered = <O extends RefundOutcome | null>(outcome: O): O => {
    failPoint('return.answered');
    return outcome;
  };
  return externalOrder<ReturnOrder, RefundOutcome, Transaction>({
    ...RETURN_OPTIONS,
    clock,
    unconfirmedMs: dependencies.refundUnconfirmedMs,
    inRow: ({ id }, work) => database.transaction(async (tx) => work(tx, await lockReturn(tx, id))),
    async prepare(payment) {
      if (!pix(payment).supportsRefunds) return { state: 'cancelled' };
      await stops.requireNotStopped(subjectOf(payment));
      return { state: 'ready' };
    },
    async order(payment, lease) {
      const gate = stops.gate(subjectOf(payment), lease);
      return answered(await pix(payment).refund(orderOf(payment), gate));
    },
    find: async (payment) => answered(await pix(payment).findRefund(orderOf(payment))),
    mayOrderAgain: (payment) => pix(payment).supportsRefunds,
    recordDecision: (tx, payment, decision) => record(dependencies, tx, payment, decision),
  });
}

function subjectOf({ merchantId }: ReturnOrder): StopSubject {
  return { what: 'returns', provider: 'pix', merchantId };
}

function orderOf({ endToEndId, amount }: ReturnOrder) {
  return { endToEndId, id: RETURN_ID, amount };
}

async function record(
  dependencies: ReturnPayments,
  tx: Transaction,
  payment: ReturnOrder,
  decision: RefundDecision,
): Promise<void> {
  const { verb, next, alarm } = decision;
  reportOutcome(dependencies.log, { id: payment.id, noun: 'a return' }, decision);
  const ended = payment.returnedAt ?? (await endByMerchantClock(tx, payment, [null, next.endedAt]));
  const returnedAt = next.status === 'DONE' ? ended : null;
  const after = {
    ...payment,
    ...next,
    returnedAt,
    failure: failureAfter(payment, decision, NOT_SUPPORTED),
  };
  await saveReturn(tx, payment, { ...after, orderedAt: verb === 'send' ? dependencies.clock() : null });
  if (alarm) await raiseOrderAlarm(tx, dependencies, { ...payment, subject: 'return' }, alarm);
  if (verb === 'complete') {
    await announceToLedger(tx, after);
    await announceToMerchant(tx, { ...after, status: 'RETURNED' });
  }
  if (!verb || next.status !== 'FAILED') return;
  await announceToMerchant(tx, { ...after, status: 'RETURN_REFUSED' });
  dependencies.log.error({ unexpectedPaymentId: payment.id }, 'unmatched payment not returned');
}
