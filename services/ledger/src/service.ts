import { auditLogs, deadLetters } from '@plataforma/contracts';
import { migrateOnStart, openDatabase, startDatabaseClock, type Transaction } from '@plataforma/data';
import type { DomainEvent } from '@plataforma/events';
import { auditRoutes, createVerifier, startForgettingKeys, startHttpServer } from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { deadLetterRoutes, listen, startPruning } from '@plataforma/messaging';
import { createLog } from '@plataforma/observe';
import { createStartRetry, type Running, startMetrics } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { ledgerConfig } from './config.ts';
import { factsOf } from './events.ts';
import { adminRoutes } from './http/admin-routes.ts';
import { internalRoutes } from './http/internal-routes.ts';
import { timelineRoutes } from './http/timeline-routes.ts';
import { walletRoutes } from './http/wallet-routes.ts';
import { createDebits } from './operations/take-debit.ts';
import { startSchedule } from './schedule.ts';
import { postFacts } from './steps/post-facts.ts';
import { reportOutcome } from './steps/report-outcome.ts';
import { readBookChecks } from './store/book-checks.ts';

interface Tuning {
  scheduleEveryMs: number;
  leaseMs: number;
  entriesPerTurn: number;
}

const productionTuning: Tuning = { scheduleEveryMs: 1_000, leaseMs: 30_000, entriesPerTurn: 5_000 };

/** Wires the ledger: events, debits and the clock in, postings out, balances to read. */
export async function startLedger(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
): Promise<Running & { url: string }> {
  const config = readConfig(ledgerConfig, env);
  const { scheduleEveryMs, ...tuned } = { ...productionTuning, ...tuning };
  const log = createLog({ service: 'ledger', level: config.LOG_LEVEL });
  const retry = createStartRetry({ config, log, stopping });
  await retry(() => migrateOnStart(config, migrations, 'ledger'));
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const verifier = createVerifier('ledger', config.TRUSTED_KEYS);
  const time = await startDatabaseClock(database, log);
  const { clock } = time;

  const apply = async (tx: Transaction, events: DomainEvent[]) => {
    for (const outcome of await postFacts(tx, events.map(factsOf))) reportOutcome(log, outcome);
  };
  const listener = listen({ subscriber: 'ledger', database, brokerUrl: config.AMQP_URL, log, apply });
  const checkBooksEveryMs = config.BOOKS_CHECK_EVERY_MINUTES * 60_000;
  const schedule = startSchedule({
    ...{ database, log, clock, everyMs: scheduleEveryMs, ...tuned },
    checkBooksEveryMs,
  });
  const takeDebit = createDebits({ database, log });
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    drainMs: config.DRAIN_MS,
    needs: { database: () => database.query('SELECT 1') },
    uses: { broker: () => listener.isConnected() },
    mount: (app) => {
      walletRoutes(app, { verifier, database });
      auditRoutes(app, { verifier, database, endpoints: auditLogs.ledger });
      deadLetterRoutes(app, { verifier, database, log, apply, endpoints: deadLetters.ledger });
      adminRoutes(app, { verifier, database, clock });
      internalRoutes(app, { verifier, database, takeDebit });
      timelineRoutes(app, { verifier, database });
    },
  });
  const pruning = startPruning(database, log);
  const forgetting = startForgettingKeys(database, log);
  const gauges = [...listener.gauges, () => readBookChecks(database, checkBooksEveryMs)];
  const metrics = await startMetrics({ service: 'ledger', config, log, database, gauges });

  return {
    url: server.url,
    async stop() {
      await Promise.all([server.stop(), schedule.stop(), listener.stop(), pruning.stop(), forgetting.stop()]);
      await Promise.all([metrics.stop(), time.stop()]);
      await database.close();
    },
  };
}
