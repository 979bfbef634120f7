import { methodsOf } from './methods.ts';
import type { PlataformaOptions } from './options.ts';
import { type Charges, chargesOf } from './resources/charges.ts';
import { type Disputes, disputesOf, type Files, filesOf } from './resources/disputes.ts';
import { type PaymentLinks, paymentLinksOf } from './resources/payment-links.ts';
import {
  type Quotes,
  quotesOf,
  type Refunds,
  type Reports,
  type Requests,
  refundsOf,
  reportsOf,
  requestsOf,
  type UnexpectedPayments,
  unexpectedPaymentsOf,
} from './resources/reading.ts';
import { type Sandbox, sandboxOf } from './resources/sandbox.ts';
import { type Wallet, walletOf } from './resources/wallet.ts';
import {
  type Deliveries,
  deliveriesOf,
  type Events,
  eventsOf,
  type Webhooks,
  webhooksOf,
} from './resources/webhooks.ts';
import {
  type Destinations,
  destinationsOf,
  type Withdrawals,
  withdrawalsOf,
} from './resources/withdrawals.ts';
import { createTransport } from './transport.ts';

/** The API of a platform, for one API key. */
export class Plataforma {
  readonly charges: Charges;
  readonly paymentLinks: PaymentLinks;
  readonly refunds: Refunds;
  readonly disputes: Disputes;
  readonly files: Files;
  readonly unexpectedPayments: UnexpectedPayments;
  readonly withdrawals: Withdrawals;
  readonly destinations: Destinations;
  readonly quotes: Quotes;
  readonly wallet: Wallet;
  readonly reports: Reports;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly events: Events;
  readonly requests: Requests;
  /** What only the sandbox does: pay, dispute, approve, move the clock, make faults. */
  readonly sandbox: Sandbox;

  constructor(options: PlataformaOptions) {
    for (const name of ['apiKey', 'baseUrl'] as const) {
      if (!options[name]) throw new TypeError(`new Plataforma({ ${name} }): ${name} is missing`);
    }
    const to = methodsOf(createTransport(options));
    this.charges = chargesOf(to);
    this.paymentLinks = paymentLinksOf(to);
    this.refunds = refundsOf(to);
    this.disputes = disputesOf(to);
    this.files = filesOf(to);
    this.unexpectedPayments = unexpectedPaymentsOf(to);
    this.withdrawals = withdrawalsOf(to);
    this.destinations = destinationsOf(to);
    this.quotes = quotesOf(to);
    this.wallet = walletOf(to);
    this.reports = reportsOf(to);
    this.webhooks = webhooksOf(to);
    this.deliveries = deliveriesOf(to);
    this.events = eventsOf(to);
    this.requests = requestsOf(to);
    this.sandbox = sandboxOf(to);
  }
}
