import { auditLogs, deadLetters } from '@plataforma/contracts';
import { startFolding } from '@plataforma/data';
import { brokerOf, eventSigner, keepingMerchants, signatureRules, startService } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { withdrawalsConfig } from './config.ts';
import { counters, gaugesOf } from './gauges.ts';
import { routes } from './http/routes.ts';
import { buildParts } from './parts.ts';
import { startSchedule } from './schedule.ts';
import { payableByClock } from './store/moved-clocks.ts';
import { productionTuning, type Tuning } from './tuning.ts';

/** Starts the withdrawals service: orders, decisions and notices in, payouts and their events out. */
export function startWithdrawals(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
) {
  return startService(
    {
      name: 'withdrawals',
      config: withdrawalsConfig,
      migrations,
      build: (core) => buildParts(core, { ...productionTuning, ...tuning }),
      messages: ({ config, clock }) => ({
        ...brokerOf(config),
        signer: eventSigner('withdrawals', config.SERVICE_KEY),
        subscription: {
          ...{ subscriber: 'withdrawals', apply: keepingMerchants(clock, payableByClock.hasten) },
          signatures: signatureRules(config),
        },
      }),
      jobs: [startSchedule, (parts) => startFolding(parts, counters)],
      operators: ({ verifier }) => ({
        ...{ verifier, auditLog: auditLogs.withdrawals, deadLetters: deadLetters.withdrawals },
      }),
      servers: (parts) => ({ main: { connectionLimit: null, mount: (app) => routes(app, parts) } }),
      gauges: gaugesOf,
    },
    { env, stopping },
  );
}
