import { newId } from '@plataforma/kernel';

export interface Paid {
  merchantId: string;
  eventId?: string;
  chargeId?: string;
}

/** Returns the event of a paid charge of 2500 cents with a fee of 25, as the charges service publishes it. */
export function paidEvent({ merchantId, eventId = newId(), chargeId = newId() }: Paid): object {
  const at = new Date().toISOString();
  const money = { amount: 2_500, feeAmount: 25, netAmount: 2_475 };
  const about = { id: chargeId, txid: chargeId.replaceAll('-', ''), externalId: `pedido-${chargeId}` };
  return {
    ...{ id: eventId, type: 'charge.paid', version: 1, occurredAt: at, merchantId, environment: 'sandbox' },
    ...{ aggregateId: chargeId, sequence: 1, traceparent: null },
    data: { ...about, ...money, paymentMethod: 'PIX', status: 'PAID', paidAt: at, settlesAt: null },
  };
}
