import {
  createLog,
  createVerifier,
  keepMerchants,
  migrate,
  openDatabase,
  type Running,
  readConfig,
  startHttpServer,
} from '@plataforma/chassis';
import { systemClock } from '@plataforma/kernel';
import { listen, startPruning } from '@plataforma/messaging';
import { migrations } from '../migrations/index.ts';
import { withdrawalsConfig } from './config.ts';
import { destinationRoutes } from './http/destination-routes.ts';

/** Wires the withdrawals service: for now it keeps what it will need to know of merchants. */
export async function startWithdrawals(env: NodeJS.ProcessEnv): Promise<Running & { url: string }> {
  const config = readConfig(withdrawalsConfig, env);
  const log = createLog({ service: 'withdrawals', level: config.LOG_LEVEL });
  if (config.MIGRATE_ON_START) await migrate(config.DATABASE_URL, migrations);
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const verifier = createVerifier('withdrawals', config.TRUSTED_KEYS);
  const clock = systemClock;
  const listener = listen({
    subscriber: 'withdrawals',
    database,
    brokerUrl: config.AMQP_URL,
    log,
    apply: keepMerchants,
  });
  const pruning = startPruning(database, log);
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    checks: { database: () => database.query('SELECT 1'), broker: () => listener.isConnected() },
    mount: (app) => {
      destinationRoutes(app, { verifier, database, clock });
    },
  });

  return {
    url: server.url,
    async stop() {
      await server.stop();
      await listener.stop();
      await pruning.stop();
      await database.close();
    },
  };
}
