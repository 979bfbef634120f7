export type { Methods } from '../methods.ts';
export { chargesOf } from './charges.ts';
export { disputesOf, filesOf } from './disputes.ts';
export { paymentLinksOf } from './payment-links.ts';
export { quotesOf, refundsOf, reportsOf, requestsOf, unexpectedPaymentsOf } from './reading.ts';
export { sandboxOf } from './sandbox.ts';
export { walletOf } from './wallet.ts';
export { deliveriesOf, eventsOf, webhooksOf } from './webhooks.ts';
export { destinationsOf, withdrawalsOf } from './withdrawals.ts';
