import { baselineOf, LAST_OF_RELEASE, orderTables, sharedTables } from '@plataforma/tables';
import { failureDetails } from './031-failure-details.ts';
import { payeeNames } from './032-payee-names.ts';

/**
 * The migrations in order. Never edit one after a release, because upgraded databases do not run it again.
 */
export const migrations = [
  sharedTables,
  orderTables,
  baselineOf({ folder: import.meta.dirname, covers: LAST_OF_RELEASE }),
  failureDetails,
  payeeNames,
];
