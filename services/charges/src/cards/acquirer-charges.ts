import type { Gate, ProviderExchange } from '@plataforma/http';
import type { Cents } from '@plataforma/kernel';
import { z } from 'zod';
import type { FoundRefund, RefundOutcome } from '../domain/refund-outcome.ts';
import { unusable } from './acquirer-http.ts';
import { acquirerCharge, paging, type RawCharge } from './charge-fields.ts';

export interface AcquirerCharge {
  acquirerId: string;
  /** The id of the platform's charge; empty when the acquirer's charge names no charge of the platform. */
  chargeId: string;
  amount: Cents;
  canceledAmount: Cents;
  /** True once the payer's money has arrived. Stays true after a refund or chargeback. */
  isPaid: boolean;
  chargeback: { amount: Cents; reason: string } | null;
}

export interface CardRefund {
  acquirerId: string;
  refundId: string;
  amount: Cents;
}

interface Period {
  from: Date;
  /** The end of the period, which the period does not include. */
  to: Date;
}

const PAGE_SIZE = 30;
const VERDICTS = new Set([400, 412, 422]);
const UNDER_WAY = new Set(['pending_refund', 'processing', 'pending']);
const ACCEPTED: FoundRefund = { state: 'accepted', reference: null };

const listed = z.object({ data: z.array(acquirerCharge), paging });

/** Inspects, refunds and lists charges (`/charges`). */
export function createAcquirerCharges(http: ProviderExchange) {
  async function find(acquirerId: string): Promise<RawCharge | null> {
    const answer = await http({ method: 'GET', path: pathOf(acquirerId) });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for a charge`);
    return read(answer.body, acquirerId);
  }

  async function progressOf({
    acquirerId,
    amount,
  }: Omit<CardRefund, 'refundId'>): Promise<FoundRefund | null> {
    const charge = await find(acquirerId);
    if (!charge) throw unusable('does not know a charge of ours');
    return progressIn(charge, amount);
  }

  async function readPage(period: Period, page: number) {
    const answer = await http({ method: 'GET', path: `/charges?${queryOf(period, page)}` });
    if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for a list`);
    const result = listed.safeParse(answer.body);
    if (!result.success) throw unusable('answered a list of an unknown shape');
    return result.data;
  }

  return {
    async inspect(acquirerId: string): Promise<AcquirerCharge | null> {
      const charge = await find(acquirerId);
      return charge && chargeOf(charge);
    },

    findRefund: progressOf,

    async refund(refund: CardRefund, gate: Gate): Promise<RefundOutcome> {
      // The acquirer forgets idempotency keys after a day. After that, only the charge at the acquirer shows
      // whether an earlier order has refunded the charge.
      const before = await progressOf(refund);
      if (before) return before;
      const answer = await http({
        method: 'DELETE',
        path: pathOf(refund.acquirerId),
        headers: { 'idempotency-key': refund.refundId },
        body: { amount: refund.amount },
        gate,
      });
      if (answer.status === 200) {
        return progressIn(read(answer.body, refund.acquirerId), refund.amount) ?? ACCEPTED;
      }
      if (!VERDICTS.has(answer.status)) throw unusable(`answered ${answer.status} when asked to refund`);
      const after = await progressOf(refund);
      return after ?? { state: 'refused', reason: 'the acquirer refused the refund' };
    },

    async *list(period: Period): AsyncIterable<AcquirerCharge[]> {
      for (let page = 1, count = 0, isLast = false; !isLast; page += 1) {
        const { data, paging } = await readPage(period, page);
        const charges = data.filter((charge) => isWithin(period, charge)).map(chargeOf);
        if (charges.length > 0) yield charges;
        count += data.length;
        const isMore = typeof paging.total === 'number' ? count < paging.total : Boolean(paging.next);
        isLast = data.length === 0 || !isMore;
      }
    },
  };
}

/**
 * Returns the progress of a refund, or null when the charge shows no refund. A charge is refunded only once,
 * so a cancelled amount belongs to this refund.
 */
function progressIn(charge: RawCharge, amount: Cents): FoundRefund | null {
  const isDone = charge.status === 'canceled' || (charge.canceled_amount ?? 0) >= amount;
  if (isDone) return { state: 'done', reference: null, amount: null };
  const isUnderWay = UNDER_WAY.has(charge.status) || charge.last_transaction?.status === 'pending_refund';
  return isUnderWay ? ACCEPTED : null;
}

function read(body: unknown, acquirerId: string): RawCharge {
  const result = acquirerCharge.safeParse(body);
  if (!result.success) throw unusable('answered a charge of an unknown shape');
  if (result.data.id !== acquirerId) throw unusable('answered another charge than the one asked for');
  return result.data;
}

function chargeOf(charge: RawCharge): AcquirerCharge {
  const { amount, status, chargeback } = charge;
  return {
    acquirerId: charge.id,
    chargeId: charge.code ?? '',
    amount,
    canceledAmount: charge.canceled_amount ?? 0,
    isPaid: status === 'paid' || status === 'chargedback' || (charge.paid_amount ?? 0) > 0,
    chargeback:
      status === 'chargedback'
        ? { amount: chargeback?.amount ?? amount, reason: chargeback?.reason ?? 'CHARGEBACK' }
        : null,
  };
}

/**
 * Returns whether a charge was created in the period. A charge that was created exactly at the end belongs to
 * the next period, although the acquirer also lists it for this period.
 */
function isWithin({ from, to }: Period, { created_at }: RawCharge): boolean {
  const createdAt = Date.parse(created_at ?? '');
  return Number.isNaN(createdAt) || (createdAt >= from.getTime() && createdAt < to.getTime());
}

function queryOf({ from, to }: Period, page: number): URLSearchParams {
  return new URLSearchParams({
    created_since: from.toISOString(),
    created_until: to.toISOString(),
    page: String(page),
    size: String(PAGE_SIZE),
  });
}

function pathOf(acquirerId: string): string {
  return `/charges/${encodeURIComponent(acquirerId)}`;
}
