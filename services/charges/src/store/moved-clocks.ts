import { type ClockQueue, clockQueue } from '@plataforma/service';

/** Charges that wait though their time is over by the clock of their sandbox. */
export const expiredByClock = clockQueue('charges', "status = 'PENDING' AND expires_at <= $2");

/** Payment links that have ended by the clock of their sandbox, and whose checkouts end with them. */
const endedByClock = clockQueue('payment_links', 'expires_at <= $2 AND next_check_at IS NOT NULL');

/** Both of these. */
export const dueInSandbox: ClockQueue = {
  count: async (db, merchantId, now) =>
    (await expiredByClock.count(db, merchantId, now)) + (await endedByClock.count(db, merchantId, now)),
  async makeDue(db, moved) {
    await expiredByClock.makeDue(db, moved);
    await endedByClock.makeDue(db, moved);
  },
};
