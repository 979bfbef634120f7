import { methods, movements, statuses } from '@plataforma/contracts/value-words';
import { idIn, oneIn, period, type Search, searchOf, textIn, valuesIn } from './search.ts';

export const homeDays = ['7', '30', '90'] as const;

/**
 * The event types of the API. This file repeats them, because an import would also load the schemas of the
 * API.
 */
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

export const requestMethods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const { charge, paymentLink, refund, dispute, withdrawal, delivery } = statuses.en;

/**
 * The filters of each list, as its URL contains them. `link` is the id of the payment link that created a
 * charge.
 */
export const homeSearch = (search: Search) => ({ days: oneIn(search, 'days', homeDays) });
export const chargesSearch = searchOf({
  status: valuesIn(charge),
  method: valuesIn(methods.en),
  ...period,
  search: textIn,
  link: idIn,
});
export const linksSearch = searchOf({ status: valuesIn(paymentLink), search: textIn, ...period });
export const refundsSearch = searchOf({ status: valuesIn(refund), search: textIn, ...period });
export const disputesSearch = searchOf({ status: valuesIn(dispute), search: textIn });
export const withdrawalsSearch = searchOf({
  status: valuesIn(withdrawal),
  method: ['PIX', 'TED'],
  ...period,
  search: textIn,
});
export const deliverySearch = searchOf({ status: valuesIn(delivery) });
export const eventsSearch = searchOf({ event: eventTypes, ...period });
/**
 * Without `source` the list shows only requests with an API key, because the dashboard's own requests are
 * numerous.
 */
export const requestsSearch = searchOf({
  status: ['2xx', '4xx', '5xx'],
  method: requestMethods,
  source: ['session', 'all'],
  search: (search: Search, name: string) => textIn(search, name)?.slice(0, 200),
  ...period,
});

const availableSearch = searchOf({ view: ['available'], ...period });
const ledgerSearch = searchOf({
  type: valuesIn(movements.en),
  flow: ['in', 'out'],
  search: textIn,
  ...period,
});

/**
 * The filters of the statement. Without `view` the statement lists every movement, including pending money.
 */
export type StatementSearch = ReturnType<typeof availableSearch> & ReturnType<typeof ledgerSearch>;

/** Reads the filters of the statement. The view of the available balance has no filter except the period. */
export function statementSearch(search: Search): StatementSearch {
  const available = availableSearch(search);
  const ledger = ledgerSearch(available.view ? {} : search);
  return { view: available.view, ...ledger, ...available };
}

export const monthEndSearch = searchOf(period);
