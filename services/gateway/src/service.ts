import { brokerOf, eventSigner, signatureRules, startService } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { gatewayConfig } from './config.ts';
import { servers } from './http/servers.ts';
import { buildParts } from './parts.ts';
import { startSchedule } from './schedule.ts';
import { readAnchorGauges } from './store/audit-anchors.ts';
import { readEpochGauges } from './store/audit-epoch-proposals.ts';
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
      jobs: [startSchedule],
      servers,
      gauges: ({ readCircuits, database }) => [
        readCircuits,
        () => readAnchorGauges(database),
        () => readEpochGauges(database),
      ],
    },
    { env, stopping },
  );
  return { url, internalUrl: urlOf('internal'), adminUrl: urlOf('admin'), stop };
}
