import {
  createLog,
  createVerifier,
  migrate,
  openDatabase,
  type Running,
  readConfig,
  startHttpServer,
} from '@plataforma/chassis';
import { listen, startPruning } from '@plataforma/messaging';
import { migrations } from '../migrations/index.ts';
import { ledgerConfig } from './config.ts';
import { factsOf } from './events.ts';
import { walletRoutes } from './http/wallet-routes.ts';
import { postFacts } from './operations/post-facts.ts';

/** Wires the ledger: events in, postings out, balances to read. */
export async function startLedger(env: NodeJS.ProcessEnv): Promise<Running & { url: string }> {
  const config = readConfig(ledgerConfig, env);
  const log = createLog({ service: 'ledger', level: config.LOG_LEVEL });
  if (config.MIGRATE_ON_START) await migrate(config.DATABASE_URL, migrations);
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const verifier = createVerifier('ledger', config.TRUSTED_KEYS);

  const listener = listen({
    subscriber: 'ledger',
    database,
    brokerUrl: config.AMQP_URL,
    log,
    apply: async (tx, events) => {
      const facts = events.flatMap(factsOf);
      if (facts.length > 0) await postFacts(tx, facts);
    },
  });
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    checks: { database: () => database.query('SELECT 1'), broker: () => listener.isConnected() },
    mount: (app) => walletRoutes(app, { verifier, database }),
  });
  const pruning = startPruning(database, log);

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
