import { auditLogs, deadLetters } from '@plataforma/contracts';
import { startFolding } from '@plataforma/data';
import { brokerOf, eventSigner, keepingMerchants, signatureRules, startService } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { chargesConfig } from './config.ts';
import { counters, gaugesOf } from './gauges.ts';
import { routes } from './http/routes.ts';
import { buildParts } from './parts.ts';
import { startForgetting, startResealing, startSchedule } from './schedule.ts';
import { dueInSandbox } from './store/moved-clocks.ts';
import { productionTuning, type Tuning } from './tuning.ts';

/** Starts the charges service: orders and notices in, charges and their events out. */
export function startCharges(env: NodeJS.ProcessEnv, tuning: Partial<Tuning> = {}, stopping?: AbortSignal) {
  return startService(
    {
      name: 'charges',
      config: chargesConfig,
      migrations,
      build: (core) => buildParts(core, { ...productionTuning, ...tuning }),
      messages: ({ config, clock }) => ({
        ...brokerOf(config),
        signer: eventSigner('charges', config.SERVICE_KEY),
        subscription: {
          subscriber: 'charges',
          apply: keepingMerchants(clock, dueInSandbox.hasten),
          signatures: signatureRules(config),
        },
      }),
      jobs: [
        startSchedule,
        (parts) => startForgetting(parts),
        (parts) => startResealing(parts),
        (parts) => startFolding(parts, counters),
      ],
      operators: ({ verifier }) => ({
        verifier,
        auditLog: auditLogs.charges,
        deadLetters: deadLetters.charges,
      }),
      servers: (parts) => ({ main: { connectionLimit: null, mount: (app) => routes(app, parts) } }),
      gauges: (parts) => gaugesOf(parts),
    },
    { env, stopping },
  );
}
