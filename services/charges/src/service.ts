import {
  createLog,
  createMerchantDirectory,
  createSigner,
  createVerifier,
  keepMerchants,
  migrate,
  openDatabase,
  type Running,
  readConfig,
  startHttpServer,
} from '@plataforma/chassis';
import { systemClock } from '@plataforma/kernel';
import { listen, startPruning, startRelay } from '@plataforma/messaging';
import { migrations } from '../migrations/index.ts';
import { type ChargesConfig, chargesConfig } from './config.ts';
import { callbackRoutes } from './http/callback-routes.ts';
import { chargeRoutes } from './http/charge-routes.ts';
import { createPixClient, type PixClient } from './pix/pix-client.ts';
import { pixProviders } from './pix/providers.ts';
import { createSandboxPayer } from './pix/sandbox-payer.ts';
import { startSchedule } from './schedule.ts';

interface Tuning {
  registrationGraceMs: number;
  scheduleEveryMs: number;
  leaseMs: number;
  providerTimeoutMs: number;
}

const productionTuning: Tuning = {
  registrationGraceMs: 30_000,
  scheduleEveryMs: 500,
  leaseMs: 30_000,
  providerTimeoutMs: 8_000,
};

/** Wires the charges service: orders and notices in, charges and their events out. */
export async function startCharges(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
): Promise<Running & { url: string }> {
  const config = readConfig(chargesConfig, env);
  const { registrationGraceMs, scheduleEveryMs, leaseMs, providerTimeoutMs } = {
    ...productionTuning,
    ...tuning,
  };
  const log = createLog({ service: 'charges', level: config.LOG_LEVEL });
  if (config.MIGRATE_ON_START) await migrate(config.DATABASE_URL, migrations);
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const verifier = createVerifier('charges', config.TRUSTED_KEYS);
  const signer = createSigner('charges', config.SERVICE_KEY);
  const merchants = createMerchantDirectory({ database, gatewayUrl: config.GATEWAY_INTERNAL_URL, signer });
  const pix = pixProviders(clientsOf(config, providerTimeoutMs));
  const payer = createSandboxPayer(config.SANDBOX_CONTROL_URL);
  const clock = systemClock;

  const messaging = { database, brokerUrl: config.AMQP_URL, log };
  const relay = startRelay({ ...messaging, name: 'charges' });
  const listener = listen({ ...messaging, subscriber: 'charges', apply: keepMerchants });
  const schedule = startSchedule({ database, pix, log, clock, leaseMs, everyMs: scheduleEveryMs });
  const pruning = startPruning(database, log);
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    checks: {
      database: () => database.query('SELECT 1'),
      broker: () => relay.isConnected() && listener.isConnected(),
    },
    mount: (app) => {
      chargeRoutes(app, { verifier, database, merchants, pix, payer, log, clock, registrationGraceMs });
      callbackRoutes(app, { verifier, database, pix, log, secret: config.PIX_CALLBACK_SECRET });
    },
  });

  return {
    url: server.url,
    async stop() {
      await Promise.all([server.stop(), schedule.stop(), listener.stop(), pruning.stop()]);
      await relay.stop();
      await database.close();
    },
  };
}

function clientsOf(
  config: ChargesConfig,
  timeoutMs: number,
): { sandbox?: PixClient; production?: PixClient } {
  const sandbox = clientOf({
    baseUrl: config.PIX_SANDBOX_URL,
    clientId: config.PIX_SANDBOX_CLIENT_ID,
    clientSecret: config.PIX_SANDBOX_CLIENT_SECRET,
    pixKey: config.PIX_SANDBOX_KEY,
    timeoutMs,
  });
  const production = clientOf({
    baseUrl: config.PIX_PRODUCTION_URL,
    clientId: config.PIX_PRODUCTION_CLIENT_ID,
    clientSecret: config.PIX_PRODUCTION_CLIENT_SECRET,
    pixKey: config.PIX_PRODUCTION_KEY,
    timeoutMs,
  });
  return { ...(sandbox ? { sandbox } : {}), ...(production ? { production } : {}) };
}

interface MaybeAccount {
  baseUrl: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  pixKey: string | undefined;
  timeoutMs: number;
}

function clientOf(account: MaybeAccount): PixClient | undefined {
  const { baseUrl, clientId, clientSecret, pixKey, timeoutMs } = account;
  if (!baseUrl || !clientId || !clientSecret || !pixKey) return undefined;
  return createPixClient({ baseUrl, clientId, clientSecret, pixKey, timeoutMs });
}
