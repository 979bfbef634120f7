import { auditLogs, deadLetters } from '@plataforma/contracts';
import { type Database, migrateOnStart, openDatabase, startDatabaseClock } from '@plataforma/data';
import {
  auditRoutes,
  createSigner,
  createVerifier,
  startForgettingKeys,
  startHttpServer,
} from '@plataforma/http';
import { environments, readConfig } from '@plataforma/kernel';
import { createLedgerClient } from '@plataforma/ledger-client';
import { deadLetterRoutes, listen, startPruning, startRelay } from '@plataforma/messaging';
import { createLog } from '@plataforma/observe';
import {
  createMerchantDirectory,
  createOperatorDirectory,
  createStartRetry,
  createStops,
  keepMerchants,
  type Running,
  readStopGauges,
  startMetrics,
} from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { acquirers } from './cards/acquirers.ts';
import { chargesConfig } from './config.ts';
import { disputeRoutes } from './disputes/http/dispute-routes.ts';
import { adminRoutes } from './http/admin-routes.ts';
import { callbackRoutes } from './http/callback-routes.ts';
import { chargeRoutes } from './http/charge-routes.ts';
import { timelineRoutes } from './http/timeline-routes.ts';
import { pixProviders } from './pix/providers.ts';
import { createSandboxPayer } from './pix/sandbox-payer.ts';
import { acquirerClients, pixClients } from './provider-accounts.ts';
import { reconciliationRoutes } from './reconciliation/http/reconciliation-routes.ts';
import { startSchedule } from './schedule.ts';
import { readOpenAlarms } from './store/alarms.ts';
import { heldOrders } from './store/held-orders.ts';
import { createCursors } from './store/provider-cursors.ts';
import { readUnknownOutcomes } from './store/unknown-outcomes.ts';

interface Tuning {
  registrationGraceMs: number;
  firstPollMs: number;
  scheduleEveryMs: number;
  leaseMs: number;
  providerTimeoutMs: number;
  ledgerTimeoutMs: number;
  cardPatienceMs: number;
  cardHorizonMs: number;
  refundPatienceMs: number;
  refundRetryMs: number;
  refundDoubtMs: number;
  readListsEveryMs: number;
}

const productionTuning: Tuning = {
  registrationGraceMs: 30_000,
  firstPollMs: 120_000,
  scheduleEveryMs: 500,
  leaseMs: 30_000,
  providerTimeoutMs: 8_000,
  ledgerTimeoutMs: 5_000,
  cardPatienceMs: 12_000,
  cardHorizonMs: 15 * 60_000,
  refundPatienceMs: 30_000,
  refundRetryMs: 1_000,
  refundDoubtMs: 60_000,
  readListsEveryMs: 30_000,
};

/** Wires the charges service: orders and notices in, charges and their events out. */
export async function startCharges(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
): Promise<Running & { url: string }> {
  const config = readConfig(chargesConfig, env);
  const { scheduleEveryMs, providerTimeoutMs, ledgerTimeoutMs, ...tuned } = {
    ...productionTuning,
    ...{ refundWaitMs: config.REFUND_WAIT_MS },
    ...tuning,
  };
  const log = createLog({ service: 'charges', level: config.LOG_LEVEL });
  const retry = createStartRetry({ config, log, stopping });
  await retry(() => migrateOnStart(config, migrations, 'charges'));
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const verifier = createVerifier('charges', config.TRUSTED_KEYS);
  const signer = createSigner('charges', config.SERVICE_KEY);
  const directory = { database, gatewayUrl: config.GATEWAY_INTERNAL_URL, signer };
  const merchants = createMerchantDirectory(directory);
  const asking = { timeoutMs: providerTimeoutMs, log };
  const clients = { pix: pixClients(config, asking), cards: acquirerClients(config, asking) };
  const pixEnvironments = environments.filter((environment) => clients.pix[environment]);
  await retry(() => createCursors(database, pixEnvironments));
  const ledger = createLedgerClient({ url: config.LEDGER_URL, signer, timeoutMs: ledgerTimeoutMs });
  const payer = createSandboxPayer(config.SANDBOX_CONTROL_URL);
  const { clock, ...time } = await startDatabaseClock(database, log);

  const messaging = { database, brokerUrl: config.AMQP_URL, log };
  const relay = startRelay({ ...messaging, name: 'charges' });
  const listener = listen({ ...messaging, subscriber: 'charges', apply: keepMerchants });
  const providers = { pix: pixProviders(clients.pix), acquirers: acquirers(clients.cards) };
  const stops = createStops(database);
  const parts = { database, merchants, ...providers, stops, ledger, log, clock, ...tuned };
  const isHolding = config.UNEXPECTED_PAYMENTS === 'hold';
  if (isHolding) log.warn('UNEXPECTED_PAYMENTS=hold: no unexpected money goes back to its payer');
  const schedule = startSchedule({ ...parts, isHolding, pixEnvironments, everyMs: scheduleEveryMs });
  const forgetting = [startPruning(database, log), startForgettingKeys(database, log)];
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    drainMs: config.DRAIN_MS,
    needs: { database: () => database.query('SELECT 1') },
    uses: { broker: () => relay.isConnected() && listener.isConnected() },
    mount: (app) => {
      chargeRoutes(app, { ...parts, verifier, payer });
      disputeRoutes(app, { verifier, database, clock });
      reconciliationRoutes(app, { ...parts, clients, verifier });
      auditRoutes(app, { verifier, database, endpoints: auditLogs.charges });
      deadLetterRoutes(app, {
        verifier,
        database,
        log,
        apply: keepMerchants,
        endpoints: deadLetters.charges,
      });
      adminRoutes(app, { verifier, database, clock, log, operators: createOperatorDirectory(directory) });
      callbackRoutes(app, { ...parts, verifier, secrets: config.PIX_CALLBACK_SECRET });
      timelineRoutes(app, { verifier, database });
    },
  });
  const gauges = [...relay.gauges, ...listener.gauges, ...gaugesOf(database)];
  const metrics = await startMetrics({ service: 'charges', config, log, database, gauges });

  return {
    url: server.url,
    async stop() {
      await Promise.all([server, schedule, listener, ...forgetting].map((each) => each.stop()));
      await Promise.all([relay.stop(), time.stop()]);
      await metrics.stop();
      await database.close();
    },
  };
}

function gaugesOf(database: Database) {
  return [
    () => readUnknownOutcomes(database),
    () => readOpenAlarms(database),
    () => readStopGauges(database, heldOrders),
  ];
}
