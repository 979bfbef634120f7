import {
  baselineOf,
  comparedEvents,
  forwardProposals,
  LAST_OF_RELEASE,
  outboxSeals,
  proposalTable,
  sealedResponses,
  sharedTables,
} from '@plataforma/tables';
import { settledReceivables } from './031-settled-receivables.ts';
import { settledDays } from './032-settled-days.ts';
import { rowNames } from './038-row-names.ts';
import { announcedDays } from './039-announced-days.ts';
import { entryOrders } from './040-entry-orders.ts';
import { receivableSeals } from './041-receivable-seals.ts';

/**
 * The migrations in order. Never change a released migration, because databases that have run it do not run
 * it again.
 */
export const migrations = [
  sharedTables,
  baselineOf({ folder: import.meta.dirname, covers: LAST_OF_RELEASE }),
  settledReceivables,
  settledDays,
  rowNames,
  announcedDays,
  outboxSeals,
  comparedEvents,
  proposalTable,
  entryOrders,
  receivableSeals,
  sealedResponses,
  forwardProposals,
];
