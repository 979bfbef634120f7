import { clockQueue } from '@plataforma/service';

/** Withdrawals whose cool-down is over by the clock of their sandbox; one that waits for approvals is not due. */
export const payableByClock = clockQueue(
  'withdrawals',
  "status = 'PENDING' AND payable_from <= $2 AND next_check_at IS NOT NULL",
);
