import { eventsToSeal } from '@plataforma/tables';
import {
  configurationsToSeal,
  oldSecretsToSeal,
  unreceivedDeliveries,
  unreceivedEventsToSeal,
} from './store/seals.ts';

/** The rows of this service with seals. Nothing is sent by rows of other tables. */
export const sealedRows = [
  eventsToSeal,
  configurationsToSeal,
  oldSecretsToSeal,
  unreceivedEventsToSeal,
  unreceivedDeliveries,
];
