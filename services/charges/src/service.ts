import { startFolding } from '@plataforma/data';
import { defineService, keepingMerchants } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { chargesConfig } from './config.ts';
import { buildDependencies } from './dependencies.ts';
import { counters, gaugesOf } from './gauges.ts';
import { routes } from './http/routes.ts';
import { startForgetting, startResealing, startSchedule } from './schedule.ts';
import { dueInSandbox } from './store/moved-clocks.ts';
import { productionTuning } from './tuning.ts';

export const startCharges = defineService({
  name: 'charges',
  config: chargesConfig,
  migrations,
  tuning: productionTuning,
  build: buildDependencies,
  subscriberUrls: ({ LEDGER_URL, WEBHOOKS_URL }) => ({ ledger: LEDGER_URL, webhooks: WEBHOOKS_URL }),
  apply: ({ clock }) => keepingMerchants(clock, dueInSandbox.makeDue),
  jobs: [
    startSchedule,
    startForgetting,
    startResealing,
    (dependencies) => startFolding(dependencies, counters),
  ],
  routes,
  gauges: gaugesOf,
});
