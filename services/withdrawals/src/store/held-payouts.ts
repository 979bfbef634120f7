import type { HeldOrders } from '@plataforma/service';

/** What a stop of payouts holds up, as `heldSince` says it of one. */
export const heldPayouts: HeldOrders = {
  what: 'payouts',
  table: 'withdrawals',
  provider: `CASE item.method WHEN 'PIX' THEN 'payout' END`,
  waits: `
    item.status = 'APPROVED'
    OR item.status = 'PROCESSING' AND item.method = 'PIX' AND item.accepted_at IS NULL AND item.doubted_at IS NULL`,
  due: 'next_check_at',
};
