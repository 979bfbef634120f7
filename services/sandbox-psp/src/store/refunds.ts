import type { Queryable, Transaction } from '@plataforma/data';
import type { Refund } from '../domain/refund.ts';
import { tableOf } from './table.ts';

type DueRefund = Refund & { endToEndId: string; clientId: string };

const refunds = tableOf<Refund & { endToEndId: string }, DueRefund>('refunds', {
  key: 'end_to_end_id, refund_id AS id',
  columns: `
    return_id, amount_cents AS amount, nature, description, status, is_refused, requested_at, ended_at`,
  computed: { clientId: '(SELECT client_id FROM payments p WHERE p.end_to_end_id = refunds.end_to_end_id)' },
});

export type RefundJson = Omit<Refund, 'requestedAt' | 'endedAt'> & {
  requestedAt: string;
  endedAt: string | null;
};

/**
 * SQL that reads a payment's refunds. It is part of the payment's statement, so that payment and refunds
 * belong to the same snapshot.
 */
export const REFUNDS = `
  (SELECT json_agg(json_build_object(
      'id', refund_id, 'returnId', return_id, 'amount', amount_cents, 'nature', nature, 'description',
      description,
      'status', status, 'isRefused', is_refused, 'requestedAt', requested_at, 'endedAt', ended_at
    ) ORDER BY position)
    FROM refunds WHERE refunds.end_to_end_id = payments.end_to_end_id)`;

export function refundsOf(json: readonly RefundJson[] | null): Refund[] {
  return (json ?? []).map(({ requestedAt, endedAt, ...refund }) => ({
    ...refund,
    requestedAt: new Date(requestedAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
  }));
}

/** Inserts a refund. A refund that is in progress ends after `delayMs`. */
export async function appendRefund(
  tx: Transaction,
  refund: Refund,
  { endToEndId, delayMs = 0 }: { endToEndId: string; delayMs?: number },
): Promise<void> {
  await refunds.insert(tx, { ...refund, endToEndId }, '', delayMs);
}

export function lockDueRefund(tx: Transaction) {
  return refunds.lockDue(tx, "status = 'EM_PROCESSAMENTO'");
}

export async function saveRefund(db: Queryable, endToEndId: string, refund: Refund): Promise<void> {
  await refunds.save(db, { ...refund, endToEndId });
}
