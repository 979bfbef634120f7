import { baselineOf, LAST_OF_RELEASE, type Partitions, sharedTables } from '@plataforma/tables';
import { timeZonesOfAccounts } from './034-time-zones.ts';
import { expiringKeys } from './035-expiring-keys.ts';
import { sessionClients } from './036-session-clients.ts';
import { firstTokens } from './037-first-tokens.ts';
import { passwordVersions } from './040-password-versions.ts';
import { approvedCnpjs } from './041-approved-cnpjs.ts';
import { requestLogFunction } from './042-request-log-function.ts';

/** A row without a partition waits in the default one, so that a wrong clock loses none. */
export const requestLog: Partitions = { table: 'request_log', by: 'id', period: 'day' };

/** In order. A migration is never edited after a release: upgraded databases do not run it again. */
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
];
