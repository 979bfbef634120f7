import { auditLogs, deadLetters } from '@plataforma/contracts';
import { auditLogChain, brokerOf, eventSigner, signatureRules, startService } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { ledgerConfig } from './config.ts';
import { routes } from './http/routes.ts';
import { buildParts } from './parts.ts';
import { startSchedule } from './schedule.ts';
import { readBookChecks } from './store/book-checks.ts';
import { journalChain } from './store/journal-heads.ts';
import { productionTuning, type Tuning } from './tuning.ts';

/** Starts the ledger: events, debits and the clock in, postings out, balances to read. */
export function startLedger(env: NodeJS.ProcessEnv, tuning: Partial<Tuning> = {}, stopping?: AbortSignal) {
  return startService(
    {
      name: 'ledger',
      config: ledgerConfig,
      migrations,
      chains: [auditLogChain, journalChain],
      build: (core) => buildParts(core, { ...productionTuning, ...tuning }),
      messages: ({ config, apply }) => ({
        ...brokerOf(config),
        signer: eventSigner('ledger', config.SERVICE_KEY),
        subscription: { subscriber: 'ledger', apply, signatures: signatureRules(config) },
      }),
      jobs: [startSchedule],
      operators: ({ verifier }) => ({
        verifier,
        auditLog: auditLogs.ledger,
        deadLetters: deadLetters.ledger,
      }),
      servers: (parts) => ({ main: { connectionLimit: null, mount: (app) => routes(app, parts) } }),
      gauges: ({ database, checkBooksEveryMs }) => [() => readBookChecks(database, checkBooksEveryMs)],
    },
    { env, stopping },
  );
}
