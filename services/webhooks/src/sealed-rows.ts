import { eventsToSeal, responsesToSeal } from '@plataforma/tables';
import {
  configurationsToSeal,
  oldSecretsToSeal,
  storedEventsToSeal,
  unreceivedDeliveries,
} from './store/seals.ts';

/** The rows of this service with seals. The service sends nothing from rows of other tables. */
export const sealedRows = [
  eventsToSeal,
  responsesToSeal,
  configurationsToSeal,
  oldSecretsToSeal,
  storedEventsToSeal,
  unreceivedDeliveries,
];
