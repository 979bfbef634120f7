import type { StoppedOrders } from '@plataforma/tables';

/**
 * The orders that a stop delays. `waits` is the SQL condition for an order that the provider is not known to
 * have.
 */
export const stoppedOrders: readonly StoppedOrders[] = [
  {
    what: 'refunds',
    table: 'refunds',
    provider: `(
      SELECT CASE payment_method WHEN 'PIX' THEN 'pix' ELSE 'card' END FROM charges
      WHERE charges.id = item.charge_id)`,
    waits: `item.status IN ('REQUESTED', 'DEBITED') AND item.doubted_at IS NULL`,
    due: 'next_check_at',
  },
  {
    what: 'returns',
    table: 'unexpected_payments',
    provider: `'pix'`,
    waits: `
      item.status = 'RETURNING' AND item.accepted_at IS NULL AND item.doubted_at IS NULL`,
    due: 'next_check_at',
  },
  {
    what: 'returns',
    table: 'charges',
    provider: `'card'`,
    waits: `
      item.acquirer_id IS NOT NULL
      AND (item.status = 'PENDING' AND item.is_voiding OR item.status = 'DECLINED' AND item.is_watched)`,
    due: 'next_check_at',
  },
  {
    what: 'charges',
    table: 'charges',
    provider: `'pix'`,
    waits: `
      item.status = 'PENDING' AND item.payment_method = 'PIX' AND item.is_unanswered
      AND item.qr_code IS NULL`,
    due: 'next_check_at',
  },
];
