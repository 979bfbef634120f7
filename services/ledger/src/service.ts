import { defineService } from '@plataforma/service';
import { auditLogChain, readProposalGauges } from '@plataforma/tables';
import { migrations } from '../migrations/index.ts';
import { ledgerConfig } from './config.ts';
import { buildDependencies } from './dependencies.ts';
import { routes } from './http/routes.ts';
import { startSchedule } from './schedule.ts';
import { readBookChecks } from './store/book-checks.ts';
import { journalChain } from './store/journal-heads.ts';
import { productionTuning } from './tuning.ts';

export const startLedger = defineService({
  name: 'ledger',
  config: ledgerConfig,
  migrations,
  chains: [auditLogChain, journalChain],
  tuning: productionTuning,
  build: buildDependencies,
  subscriberUrls: ({ WEBHOOKS_URL }) => ({ webhooks: WEBHOOKS_URL }),
  apply: ({ apply }) => apply,
  jobs: [startSchedule],
  routes,
  gauges: ({ database, checkBooksEveryMs }) => [
    () => readBookChecks(database, checkBooksEveryMs),
    () => readProposalGauges(database),
  ],
});
