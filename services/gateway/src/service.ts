import {
  createLog,
  createSecretBox,
  createSigner,
  createVerifier,
  type Database,
  migrateOnStart,
  openDatabase,
  type Running,
  readConfig,
  startForgettingKeys,
  startHttpServer,
} from '@plataforma/chassis';
import { systemClock } from '@plataforma/kernel';
import { startPruning, startRelay } from '@plataforma/messaging';
import { migrations } from '../migrations/index.ts';
import { gatewayConfig, initialSettingsOf } from './config.ts';
import { addressList } from './domain/address-list.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { internalRoutes } from './http/internal-routes.ts';
import { createForward } from './http/proxy.ts';
import { routes } from './http/routes.ts';
import { startKeyUses } from './key-uses.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { startSessionPruning } from './session-pruning.ts';
import { hasOperators, insertFirstOperator } from './store/operators.ts';
import { createTokens } from './tokens.ts';

/** Wires the gateway: the one door merchants, operators and providers come through. */
export async function startGateway(
  env: NodeJS.ProcessEnv,
): Promise<Running & { url: string; internalUrl: string }> {
  const config = readConfig(gatewayConfig, env);
  const log = createLog({ service: 'gateway', level: config.LOG_LEVEL });
  await migrateOnStart(config, migrations);
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const passwords = await createPasswords();
  await addFirstOperator({ database, passwords }, config.OPERATOR_EMAIL, config.OPERATOR_PASSWORD);

  const clock = systemClock;
  const tokens = createTokens(config.SERVICE_KEY);
  const isOurProxy = addressList(config.TRUSTED_PROXIES);
  const keyUses = startKeyUses(database, log);
  const authenticate = createAuthenticate({ database, tokens, clock, keyUses, isOurProxy });
  const { forward, close: closeForward } = createForward({
    log,
    targets: {
      charges: config.CHARGES_URL,
      withdrawals: config.WITHDRAWALS_URL,
      ledger: config.LEDGER_URL,
      webhooks: config.WEBHOOKS_URL,
    },
    signer: createSigner('gateway', config.SERVICE_KEY),
  });
  const relay = startRelay({ database, brokerUrl: config.AMQP_URL, name: 'gateway', log });
  const pruning = startPruning(database, log);
  const sessionPruning = startSessionPruning(database, log);
  const forgetting = startForgettingKeys(database, log);
  const checks = { database: () => database.query('SELECT 1'), broker: () => relay.isConnected() };
  const internal = await startHttpServer({
    log,
    host: config.HOST,
    port: config.INTERNAL_PORT,
    checks,
    mount: (app) =>
      internalRoutes(app, { database, verifier: createVerifier('gateway', config.TRUSTED_KEYS) }),
  });
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    checks,
    mount: (app) =>
      routes(app, {
        database,
        passwords,
        tokens,
        clock,
        initialSettings: initialSettingsOf(config),
        secretBox: createSecretBox(config.SEALING_KEYS),
        authenticate,
        forward,
      }),
  });

  return {
    url: server.url,
    internalUrl: internal.url,
    async stop() {
      await Promise.all([server.stop(), internal.stop()]);
      closeForward();
      await keyUses.stop();
      await relay.stop();
      await pruning.stop();
      await sessionPruning.stop();
      await forgetting.stop();
      await database.close();
    },
  };
}

/** An empty installation gets its first ADMIN from the configuration; later the configuration changes nothing. */
async function addFirstOperator(
  { database, passwords }: { database: Database; passwords: Passwords },
  email: string,
  password: string,
): Promise<void> {
  if (await hasOperators(database)) return;
  await insertFirstOperator(database, email, await passwords.hash(password));
}
