import type { Database } from '@plataforma/data';
import type { Keep } from '@plataforma/http';
import type { LedgerClient } from '@plataforma/ledger-client';
import { type Stops, withEndAhead } from '@plataforma/service';
import { type ExternalOrder, externalOrder } from '@plataforma/work';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import { failPoint, sometimes } from '../fail-points.ts';
import { lockCharge, readCharge } from '../store/charges.ts';
import { lockRefund, type RefundOrder } from '../store/refunds.ts';
import { awaitEnd, type RefundClient, type RefundProviders, refundClientOf } from './refund-client.ts';
import {
  type LockedRefund,
  type RefundAnswer,
  type Refunded,
  type SettleRefund,
  settleRefund,
} from './settle-refund.ts';
import { TERMS } from './settled-order.ts';

export interface AdvanceRefund extends SettleRefund, RefundProviders {
  database: Database;
  ledger: LedgerClient;
  stops: Stops;
  /** When a refund whose end is not known is looked at next, for the first time. */
  refundRetryMs: number;
  /** How long a refusal stays unconfirmed: longer than any order can still be on its way. */
  refundDoubtMs: number;
}

/** A request that waits for the end of a refund. */
export interface RefundCaller {
  keep: Keep<Refunded>;
  /** Until when a provider that has taken the order is asked for its end. */
  waitUntil: Date;
}

/**
 * Takes refunds as far as they go: the ledger takes the merchant's money aside, the provider is told to return it, and
 * when it has, the charge is REFUNDED. Ledger and provider know a refund by its id. One that is stopped waits debited.
 */
export function refundOrders(
  parts: AdvanceRefund,
  caller: RefundCaller | null = null,
): ExternalOrder<RefundOrder, RefundAnswer> {
  const { database, clock, ledger, stops } = parts;
  const clientOf = async (refund: RefundOrder) =>
    refundClientOf(parts, refund, await readCharge(database, refund.chargeId));
  const answered = async <O extends RefundOutcome>(client: RefundClient, outcome: O) => {
    const end = caller ? await awaitEnd({ clock, waitUntil: caller.waitUntil }, client, outcome) : outcome;
    failPoint('refund.answered');
    return end;
  };
  return externalOrder<RefundOrder, RefundOutcome, LockedRefund, RefundAnswer>({
    ...TERMS,
    clock,
    backoff: { ...TERMS.backoff, firstMs: parts.refundRetryMs },
    unconfirmedMs: parts.refundDoubtMs,
    inRow: ({ id, chargeId }, work) =>
      database.transaction(async (tx) => {
        const charge = await lockCharge(tx, chargeId);
        const refund = await withEndAhead(tx, await lockRefund(tx, id), charge);
        return work({ tx, charge, refund }, refund);
      }),
    async prepare(refund) {
      const { paidAt, ...charge } = await readCharge(database, refund.chargeId);
      if (!paidAt) throw new Error('a refund of a charge that was never paid');
      const debit = { ...refund, occurredAt: refund.createdAt, charge: { ...charge, paidAt } };
      const isTaken = await ledger.debitRefund(debit);
      if (!isTaken) return { state: 'cancelled' };
      failPoint('refund.debited');
      await stops.demand((await clientOf(refund)).subject);
      return { state: 'ready' };
    },
    async order(refund, lease) {
      const client = await clientOf(refund);
      failPoint('refund.leaving');
      return answered(client, await client.order(stops.gate(client.subject, lease)));
    },
    async find(refund) {
      const client = await clientOf(refund);
      const known = await client.find();
      if (refund.status === 'ORDERED' || refund.status === 'UNCONFIRMED')
        sometimes(known ? 'unknown refund found done' : 'unknown refund found not done');
      return known && answered(client, known);
    },
    settle: (locked, _refund, settlement) =>
      settleRefund({ ...parts, keep: caller?.keep ?? null }, locked, settlement),
  });
}
