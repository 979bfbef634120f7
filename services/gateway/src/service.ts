import { defineService } from '@plataforma/service';
import { startPartitions } from '@plataforma/tables';
import { migrations, requestLog } from '../migrations/index.ts';
import { gatewayConfig, targetsOf } from './config.ts';
import { buildDependencies } from './dependencies.ts';
import { gaugesOf } from './gauges.ts';
import { servers } from './http/servers.ts';
import { startResealing, startSchedule } from './schedule.ts';
import { productionTuning } from './tuning.ts';

const start = defineService({
  name: 'gateway',
  config: gatewayConfig,
  migrations,
  tuning: productionTuning,
  build: buildDependencies,
  subscriberUrls: targetsOf,
  apply: ({ apply }) => apply,
  jobs: [
    startSchedule,
    startResealing,
    (dependencies) =>
      startPartitions(dependencies, [{ ...requestLog, keepDays: dependencies.requestLogRetentionDays }]),
  ],
  servers,
  gauges: gaugesOf,
});

/** Starts the gateway, through which merchants, operators and providers call all services. */
export async function startGateway(...given: Parameters<typeof start>) {
  const { url, urlOf, stop } = await start(...given);
  return { url, internalUrl: urlOf('internal'), adminUrl: urlOf('admin'), stop };
}
