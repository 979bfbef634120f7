import { startPartitions } from '@plataforma/data';
import { brokerOf, eventSigner, signatureRules, startService } from '@plataforma/service';
import { migrations, requestLog } from '../migrations/index.ts';
import { gatewayConfig } from './config.ts';
import { gaugesOf } from './gauges.ts';
import { servers } from './http/servers.ts';
import { buildParts } from './parts.ts';
import { startSchedule } from './schedule.ts';
import { productionTuning, type Tuning } from './tuning.ts';

/** Starts the gateway: the one door merchants, operators and providers come through. */
export async function startGateway(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
) {
  const { url, urlOf, stop } = await startService(
    {
      name: 'gateway',
      config: gatewayConfig,
      migrations,
      build: (core) => buildParts(core, { ...productionTuning, ...tuning }),
      messages: ({ config, apply }) => ({
        ...brokerOf(config),
        signer: eventSigner('gateway', config.SERVICE_KEY),
        subscription: { subscriber: 'gateway', apply, signatures: signatureRules(config) },
      }),
      jobs: [
        startSchedule,
        (parts) => startPartitions(parts, [{ ...requestLog, keepDays: parts.requestLogRetentionDays }]),
      ],
      servers,
      gauges: gaugesOf,
    },
    { env, stopping },
  );
  return { url, internalUrl: urlOf('internal'), adminUrl: urlOf('admin'), stop };
}
