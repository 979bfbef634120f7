import { charges } from './001-charges.ts';
import { payments } from './002-payments.ts';
import { callbacks } from './003-callbacks.ts';
import { signingKey } from './004-signing-key.ts';
import { news } from './005-news.ts';
import { paymentsOfNoCharge } from './006-payments-of-no-charge.ts';
import { refunds } from './007-refunds.ts';
import { faults } from './008-faults.ts';
import { cardTokens } from './009-card-tokens.ts';
import { cardCharges } from './010-card-charges.ts';
import { infractions } from './011-infractions.ts';
import { payouts } from './012-payouts.ts';
import { refusals } from './013-refusals.ts';
import { callbackLeases } from './014-callback-leases.ts';
import { paymentOrders } from './015-payment-orders.ts';
import { defenseFiles } from './016-defense-files.ts';
import { payoutEnds } from './017-payout-ends.ts';
import { weather } from './018-weather.ts';
import { refundNatures } from './022-refund-natures.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [
  charges,
  payments,
  callbacks,
  signingKey,
  news,
  paymentsOfNoCharge,
  refunds,
  faults,
  cardTokens,
  cardCharges,
  infractions,
  payouts,
  refusals,
  callbackLeases,
  paymentOrders,
  defenseFiles,
  payoutEnds,
  weather,
  refundNatures,
];
