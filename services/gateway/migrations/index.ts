import {
  baselineOf,
  comparedEvents,
  forwardProposals,
  LAST_OF_RELEASE,
  outboxSeals,
  type Partitions,
  proposalTable,
  sealedResponses,
  sharedTables,
} from '@plataforma/tables';
import { timeZonesOfAccounts } from './034-time-zones.ts';
import { expiringKeys } from './035-expiring-keys.ts';
import { sessionClients } from './036-session-clients.ts';
import { firstTokens } from './037-first-tokens.ts';
import { passwordVersions } from './040-password-versions.ts';
import { approvedCnpjs } from './041-approved-cnpjs.ts';
import { requestLogFunction } from './042-request-log-function.ts';
import { limitsOfPayees } from './043-limits-of-payees.ts';
import { operatorFactors, operatorSessionIndex } from './043-operator-factors.ts';
import { operatorCreators } from './045-operator-creators.ts';
import { operatorSums } from './045-operator-sums.ts';
import { rowSeals } from './045-row-seals.ts';
import { operatorPasskeys } from './046-operator-passkeys.ts';
import { acceptedTerms } from './047-accepted-terms.ts';
import { requestLogMessages } from './047-request-log-messages.ts';
import { repeatedDecisions } from './048-repeated-decisions.ts';

/**
 * A row for which no partition exists goes into the default partition, so that a wrong clock loses no row.
 */
export const requestLog: Partitions = { table: 'request_log', by: 'id', period: 'day' };

/**
 * The migrations in order. A released migration is never edited, because upgraded databases do not run it
 * again.
 */
export const migrations = [
  sharedTables,
  baselineOf({
    folder: import.meta.dirname,
    covers: LAST_OF_RELEASE,
    partitioned: [requestLog],
  }),
  timeZonesOfAccounts,
  expiringKeys,
  sessionClients,
  firstTokens,
  passwordVersions,
  approvedCnpjs,
  requestLogFunction,
  outboxSeals,
  limitsOfPayees,
  operatorFactors,
  operatorSessionIndex,
  comparedEvents,
  operatorSums,
  operatorCreators,
  proposalTable,
  rowSeals,
  operatorPasskeys,
  requestLogMessages,
  sealedResponses,
  forwardProposals,
  acceptedTerms,
  repeatedDecisions,
];
