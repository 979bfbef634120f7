import { type ClockQueue, clockQueue } from '@plataforma/service';

/** Pending charges that have expired by their sandbox's clock. */
export const expiredByClock = clockQueue('charges', "status = 'PENDING' AND expires_at <= $2");

/**
 * Payment links that have expired by their sandbox's clock. They become due too, because the scheduler must
 * end their checkouts.
 */
const endedByClock = clockQueue('payment_links', 'expires_at <= $2 AND next_check_at IS NOT NULL');

export const dueInSandbox: ClockQueue = {
  count: async (db, merchantId, now) =>
    (await expiredByClock.count(db, merchantId, now)) + (await endedByClock.count(db, merchantId, now)),
  async makeDue(db, moved) {
    await expiredByClock.makeDue(db, moved);
    await endedByClock.makeDue(db, moved);
  },
};
