import { period, searchOf } from '../search.ts';

/** As the API names them; a list of its own, as the contract's would bring its schemas. */
export const eventTypes = [
  'charge.paid',
  'charge.refunded',
  'charge.refund_failed',
  'charge.expired',
  'checkout.completed',
  'checkout.expired',
  'refund.created',
  'dispute.opened',
  'dispute.updated',
  'dispute.resolved',
  'payment.unexpected',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.rejected',
  'receivable.settled',
  'webhook.failing',
  'api_key.expiring',
] as const;

export const eventsSearch = searchOf({ event: eventTypes, ...period });
