import type { Announcement } from '@plataforma/events';
import type { Charge } from '../domain/charge.ts';

/** What the other services are told of a charge that was just paid or has just expired. */
export function announcementOf(charge: Charge): Announcement {
  const { id, merchantId, environment, sequence } = charge;
  const about = { merchantId, environment, aggregateId: id, sequence };
  const { txid, externalId, paymentMethod, amount, feeAmount, netAmount } = charge;
  const data = { id, txid, externalId, paymentMethod, amount, feeAmount, netAmount };
  if (charge.status === 'PAID' && charge.paidAt) {
    return {
      ...about,
      type: 'charge.paid',
      data: { ...data, status: 'PAID', paidAt: charge.paidAt.toISOString() },
    };
  }
  if (charge.status === 'EXPIRED') {
    return { ...about, type: 'charge.expired', data: { ...data, status: 'EXPIRED', paidAt: null } };
  }
  throw new Error(`nothing is announced of a charge that is ${charge.status}`);
}
