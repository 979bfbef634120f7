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

/** A refund as JSON inside a payment's row. */
export type RefundJson = Omit<Refund, 'requestedAt' | 'endedAt'> & {
  requestedAt: string;
  endedAt: string | null;
};

/** Read in the payment's own statement, so that they are of the same moment. */
export const REFUNDS = `
  (SELECT json_agg(json_build_object(
      'id', refund_id, 'returnId', return_id, 'amount', amount_cents, 'nature', nature, 'description', description,
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

/** Appends a refund that has begun and is due to end after `delayMs`, or that has ended. */
export async function appendRefund(
  tx: Transaction,
  refund: Refund,
  { endToEndId, delayMs = 0 }: { endToEndId: string; delayMs?: number },
): Promise<void> {
  await refunds.insert(tx, { ...refund, endToEndId }, '', delayMs);
}

/** Locks a refund that is due to end and that no other transaction is ending. */
export function lockDueRefund(tx: Transaction) {
  return refunds.lockDue(tx, "status = 'EM_PROCESSAMENTO'");
}

export async function saveRefund(db: Queryable, endToEndId: string, refund: Refund): Promise<void> {
  await refunds.save(db, { ...refund, endToEndId });
}
