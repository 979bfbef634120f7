import { eventsToSeal, proposalsToSeal, responsesToSeal } from '@plataforma/tables';
import { receivablesToSeal } from './store/receivables.ts';

/** The rows of this service with seals. The journal is append-only, so `entriesToTrust` covers its rows. */
export const sealedRows = [eventsToSeal, proposalsToSeal, responsesToSeal, receivablesToSeal];
