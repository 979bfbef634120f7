import { methods, movements, statuses } from '@plataforma/contracts/value-words';
import { idIn, oneIn, period, type Search, searchOf, textIn, valuesIn } from './search.ts';

export const homeDays = ['7', '30', '90'] as const;

/** A copy of the API's names, because the contract's list would load its schemas. */
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

/** The filters in the URL of each list. `link` is the payment link that created the charges. */
export const homeSearch = (search: Search) => ({ days: oneIn(search, 'days', homeDays) });
export const chargesSearch = searchOf({
  status: valuesIn(charge),
  method: valuesIn(methods.en),
  ...period,
  search: textIn,
  link: idIn,
});
export const linksSearch = searchOf({ status: valuesIn(paymentLink), ...period });
export const refundsSearch = searchOf({ status: valuesIn(refund), ...period });
export const disputesSearch = searchOf({ status: valuesIn(dispute) });
export const withdrawalsSearch = searchOf({
  status: valuesIn(withdrawal),
  method: ['PIX', 'TED'],
  ...period,
  search: textIn,
});
export const deliverySearch = searchOf({ status: valuesIn(delivery) });
export const eventsSearch = searchOf({ event: eventTypes, ...period });
/** Without a source the list shows requests with an API key, because pages send many reads of their own. */
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

/** Without a view the statement lists every movement, including pending money. */
export type StatementSearch = ReturnType<typeof availableSearch> & ReturnType<typeof ledgerSearch>;

/** The available balance has a period as its only filter. */
export function statementSearch(search: Search): StatementSearch {
  const available = availableSearch(search);
  const ledger = ledgerSearch(available.view ? {} : search);
  return { view: available.view, ...ledger, ...available };
}
