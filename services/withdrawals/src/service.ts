import { startFolding } from '@plataforma/data';
import { defineService, keepingMerchants } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { withdrawalsConfig } from './config.ts';
import { buildDependencies } from './dependencies.ts';
import { counters, gaugesOf } from './gauges.ts';
import { routes } from './http/routes.ts';
import { startSchedule } from './schedule.ts';
import { payableBySandboxTime } from './store/withdrawals.ts';
import { productionTuning } from './tuning.ts';

export const startWithdrawals = defineService({
  name: 'withdrawals',
  config: withdrawalsConfig,
  migrations,
  tuning: productionTuning,
  build: buildDependencies,
  subscriberUrls: ({ LEDGER_URL, WEBHOOKS_URL }) => ({ ledger: LEDGER_URL, webhooks: WEBHOOKS_URL }),
  apply: ({ clock }) => keepingMerchants(clock, payableBySandboxTime.makeDue),
  jobs: [startSchedule, (dependencies) => startFolding(dependencies, counters)],
  routes,
  gauges: gaugesOf,
});
