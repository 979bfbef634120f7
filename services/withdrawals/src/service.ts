import { auditLogs, deadLetters } from '@plataforma/contracts';
import { type Database, migrateOnStart, openDatabase, startDatabaseClock } from '@plataforma/data';
import {
  auditRoutes,
  createPlaces,
  createSigner,
  createVerifier,
  startForgettingKeys,
  startHttpServer,
} from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
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
import { withdrawalsConfig } from './config.ts';
import { adminRoutes } from './http/admin-routes.ts';
import { callbackRoutes } from './http/callback-routes.ts';
import { destinationRoutes } from './http/destination-routes.ts';
import { qrRoutes } from './http/qr-routes.ts';
import { timelineRoutes } from './http/timeline-routes.ts';
import { withdrawalRoutes } from './http/withdrawal-routes.ts';
import { payoutProviders } from './payouts/providers.ts';
import { payoutClients } from './provider-accounts.ts';
import { openBanks } from './qr/open-banks.ts';
import { startSchedule } from './schedule.ts';
import { heldPayouts } from './store/held-payouts.ts';
import { readOpenAlarms } from './store/payout-alarms.ts';
import { readUnknownOutcomes } from './store/unknown-outcomes.ts';

interface Tuning {
  scheduleEveryMs: number;
  leaseMs: number;
  creationLeaseMs: number;
  doubtMs: number;
  providerTimeoutMs: number;
  ledgerTimeoutMs: number;
}

const productionTuning: Tuning = {
  scheduleEveryMs: 500,
  leaseMs: 30_000,
  creationLeaseMs: 30_000,
  doubtMs: 30 * 60_000,
  providerTimeoutMs: 8_000,
  ledgerTimeoutMs: 5_000,
};

const CODES = { inAll: 20, forOneHolder: 5, full: 'too many codes are being read; try again shortly' };

/** Wires the withdrawals service: orders, decisions and notices in, payouts and their events out. */
export async function startWithdrawals(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
): Promise<Running & { url: string }> {
  const config = readConfig(withdrawalsConfig, env);
  const { scheduleEveryMs, providerTimeoutMs, ledgerTimeoutMs, ...tuned } = {
    ...productionTuning,
    ...tuning,
  };
  const log = createLog({ service: 'withdrawals', level: config.LOG_LEVEL });
  const retry = createStartRetry({ config, log, stopping });
  await retry(() => migrateOnStart(config, migrations, 'withdrawals'));
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const verifier = createVerifier('withdrawals', config.TRUSTED_KEYS);
  const signer = createSigner('withdrawals', config.SERVICE_KEY);
  const directory = { database, gatewayUrl: config.GATEWAY_INTERNAL_URL, signer };
  const merchants = createMerchantDirectory(directory);
  const ledger = createLedgerClient({ url: config.LEDGER_URL, signer, timeoutMs: ledgerTimeoutMs });
  const payouts = payoutProviders(payoutClients(config, { timeoutMs: providerTimeoutMs }));
  const banks = openBanks(config);
  const time = await startDatabaseClock(database, log);
  const { clock } = time;

  const messaging = { database, brokerUrl: config.AMQP_URL, log };
  const relay = startRelay({ ...messaging, name: 'withdrawals' });
  const listener = listen({ ...messaging, subscriber: 'withdrawals', apply: keepMerchants });
  const stops = createStops(database);
  const parts = { database, merchants, ledger, payouts, stops, log, clock, ...tuned };
  const schedule = startSchedule({ ...parts, everyMs: scheduleEveryMs });
  const pruning = startPruning(database, log);
  const forgetting = startForgettingKeys(database, log);
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    drainMs: config.DRAIN_MS,
    needs: { database: () => database.query('SELECT 1') },
    uses: { broker: () => relay.isConnected() && listener.isConnected() },
    mount: (app) => {
      withdrawalRoutes(app, { ...parts, verifier, fourEyesThreshold: config.FOUR_EYES_THRESHOLD });
      destinationRoutes(app, { verifier, database, clock });
      qrRoutes(app, { verifier, banks, places: createPlaces(CODES), clock });
      auditRoutes(app, { verifier, database, endpoints: auditLogs.withdrawals });
      deadLetterRoutes(app, {
        verifier,
        database,
        log,
        apply: keepMerchants,
        endpoints: deadLetters.withdrawals,
      });
      adminRoutes(app, { ...parts, verifier, operators: createOperatorDirectory(directory) });
      callbackRoutes(app, { verifier, database, clock, secrets: config.PAYOUT_CALLBACK_SECRET });
      timelineRoutes(app, { verifier, database });
    },
  });
  const gauges = [...relay.gauges, ...listener.gauges, ...gaugesOf(database)];
  const metrics = await startMetrics({ service: 'withdrawals', config, log, database, gauges });

  return {
    url: server.url,
    async stop() {
      await Promise.all([server.stop(), schedule.stop(), listener.stop(), pruning.stop(), forgetting.stop()]);
      await Promise.all([relay.stop(), banks.close(), time.stop()]);
      await metrics.stop();
      await database.close();
    },
  };
}

function gaugesOf(database: Database) {
  return [
    () => readUnknownOutcomes(database),
    () => readOpenAlarms(database),
    () => readStopGauges(database, [heldPayouts]),
  ];
}
