import { merchantRows } from '@plataforma/service';
import { eventsToSeal, proposalsToSeal, responsesToSeal } from '@plataforma/tables';
import { checkoutsToSeal } from './checkouts/store/checkouts.ts';
import { linksToSeal } from './checkouts/store/payment-links.ts';
import { disputesToSeal } from './disputes/store/disputes.ts';
import { chargesToSeal } from './store/charge-rows.ts';
import { refundsToSeal } from './store/refunds.ts';
import { returnsToSeal } from './store/sealed-returns.ts';

/** The rows of this service with seals. */
export const sealedRows = [
  eventsToSeal,
  responsesToSeal,
  merchantRows,
  chargesToSeal,
  refundsToSeal,
  returnsToSeal,
  disputesToSeal,
  proposalsToSeal,
  linksToSeal,
  checkoutsToSeal,
];
