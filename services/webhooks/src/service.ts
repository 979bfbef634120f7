import { defineService } from '@plataforma/service';
import { readPartitions, startPartitions } from '@plataforma/tables';
import { migrations } from '../migrations/index.ts';
import { webhooksConfig } from './config.ts';
import { buildDependencies } from './dependencies.ts';
import { routes } from './http/routes.ts';
import { startSchedule } from './schedule.ts';
import { deliveryGauges } from './store/gauges.ts';
import { retainedByMonth } from './store/retention.ts';
import { productionTuning } from './tuning.ts';

/** Starts the webhooks service, which receives events and sends them to merchants' endpoints. */
export const startWebhooks = defineService({
  name: 'webhooks',
  config: webhooksConfig,
  migrations,
  tuning: productionTuning,
  build: buildDependencies,
  apply: ({ apply }) => apply,
  jobs: [
    startSchedule,
    (dependencies) => startPartitions(dependencies, retainedByMonth(dependencies.retention)),
  ],
  routes,
  gauges: ({ database, sender, retention }) => [
    ...deliveryGauges(database, sender.countSlow),
    () => readPartitions(database, retainedByMonth(retention)),
  ],
});
