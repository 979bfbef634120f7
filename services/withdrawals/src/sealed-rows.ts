import { merchantRows } from '@plataforma/service';
import { eventsToSeal, proposalsToSeal, responsesToSeal } from '@plataforma/tables';
import { destinationsToSeal } from './store/destinations.ts';
import { proofsToSeal } from './store/wallet-proofs.ts';
import { withdrawalsToSeal } from './store/withdrawal-rows.ts';

/** The rows of this service with seals. Rows of other tables do not move money. */
export const sealedRows = [
  eventsToSeal,
  responsesToSeal,
  merchantRows,
  destinationsToSeal,
  proofsToSeal,
  proposalsToSeal,
  withdrawalsToSeal,
];
