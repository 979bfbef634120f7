import { auditLogs, deadLetters } from '@plataforma/contracts';
import { readPartitions, startPartitions } from '@plataforma/data';
import { brokerOf, eventSigner, signatureRules, startService } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { webhooksConfig } from './config.ts';
import { routes } from './http/routes.ts';
import { buildParts } from './parts.ts';
import { startSchedule } from './schedule.ts';
import { deliveryGauges } from './store/gauges.ts';
import { keptByMonth } from './store/retention.ts';
import { productionTuning, type Tuning } from './tuning.ts';

/** Starts the webhooks service: events and configurations in, signed deliveries out. */
export function startWebhooks(env: NodeJS.ProcessEnv, tuning: Partial<Tuning> = {}, stopping?: AbortSignal) {
  return startService(
    {
      name: 'webhooks',
      config: webhooksConfig,
      migrations,
      build: (core) => buildParts(core, { ...productionTuning, ...tuning }),
      messages: ({ config, apply }) => ({
        ...brokerOf(config),
        signer: eventSigner('webhooks', config.SERVICE_KEY),
        subscription: { subscriber: 'webhooks', apply, signatures: signatureRules(config) },
      }),
      jobs: [startSchedule, (parts) => startPartitions(parts, keptByMonth(parts.retention))],
      operators: ({ verifier }) => ({
        verifier,
        auditLog: auditLogs.webhooks,
        deadLetters: deadLetters.webhooks,
      }),
      servers: (parts) => ({ main: { connectionLimit: null, mount: (app) => routes(app, parts) } }),
      gauges: ({ database, sender, retention }) => [
        ...deliveryGauges(database, sender.heldBack),
        () => readPartitions(database, keptByMonth(retention)),
      ],
    },
    { env, stopping },
  );
}
