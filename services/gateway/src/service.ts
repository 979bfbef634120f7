import {
  createSecretBox,
  type Database,
  migrateOnStart,
  openDatabase,
  startDatabaseClock,
} from '@plataforma/data';
import { createSigner, createVerifier, startForgettingKeys, startHttpServer } from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { startPruning, startRelay } from '@plataforma/messaging';
import { createLog } from '@plataforma/observe';
import { createStartRetry, type Running, startMetrics } from '@plataforma/service';
import type { Express } from 'express';
import type { z } from 'zod';
import { migrations } from '../migrations/index.ts';
import { gatewayConfig, initialSettingsOf } from './config.ts';
import { addressList, connectingNetwork } from './domain/address-list.ts';
import { createAskService } from './http/ask-service.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { clientAddress } from './http/client-address.ts';
import { internalRoutes } from './http/internal-routes.ts';
import { createLimits } from './http/limits.ts';
import { createForward } from './http/proxy.ts';
import { type Door, doorway } from './http/routes.ts';
import { startKeyUses } from './key-uses.ts';
import { createPasswordQueues, PASSWORD_COST, type PasswordCost, type Passwords } from './passwords.ts';
import { startSchedule } from './schedule.ts';
import { hasOperators, insertFirstOperator } from './store/operators.ts';
import { createTokens, ISSUER } from './tokens.ts';

/** Less than the services behind take, for what is added on the way. */
const MAX_HEAD_BYTES = 16 * 1024;

interface Tuning {
  passwordCost: PasswordCost;
}

/** Wires the gateway: the one door merchants, operators and providers come through. */
export async function startGateway(
  env: NodeJS.ProcessEnv,
  { passwordCost: cost = PASSWORD_COST }: Partial<Tuning> = {},
  stopping?: AbortSignal,
): Promise<Running & { url: string; internalUrl: string; adminUrl: string }> {
  const config = readConfig(gatewayConfig, env);
  const log = createLog({ service: 'gateway', level: config.LOG_LEVEL });
  const retry = createStartRetry({ config, log, stopping });
  await retry(() => migrateOnStart(config, migrations, 'gateway'));
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const passwords = await createPasswordQueues({ cost });
  const operatorPasswords = await createPasswordQueues({ cost });
  const first = { email: config.OPERATOR_EMAIL, password: config.OPERATOR_PASSWORD };
  await retry(() => addFirstOperator({ database, passwords: operatorPasswords.known }, first));

  const { clock, ...time } = await startDatabaseClock(database, log);
  const tokens = createTokens(config.SERVICE_KEY, config.TRUSTED_KEYS.get(ISSUER));
  const addressOf = clientAddress(addressList(config.TRUSTED_PROXIES));
  const limits = createLimits({ addressOf, ...limitsOf(config).aSecond });
  const keyUses = startKeyUses(database, log);
  const authenticate = createAuthenticate({ database, tokens, clock, keyUses, limits, addressOf });
  const behind = { log, targets: targetsOf(config), signer: createSigner(ISSUER, config.SERVICE_KEY) };
  const { forward, readCircuits, close: closeForward } = createForward(behind);
  const relay = startRelay({ database, brokerUrl: config.AMQP_URL, name: 'gateway', log });
  const pruning = startPruning(database, log);
  const forgetting = startForgettingKeys(database, log);
  const schedule = startSchedule({ database, log, clock });
  const needs = { database: () => database.query('SELECT 1') };
  const uses = { broker: () => relay.isConnected() };
  const listening = { log, needs, uses, ...listeningOf(config) };
  const parts = {
    database,
    passwords,
    operatorPasswords,
    tokens,
    clock,
    initialSettings: initialSettingsOf(config),
    secretBox: createSecretBox(config.SEALING_KEYS),
    authenticate,
    askService: createAskService(behind),
    forward,
    limits,
    loginLimits: { database, log, addressOf, tokens, ...limitsOf(config).ofLogins },
    bodyTimeoutMs: config.BODY_TIMEOUT_MS,
  };
  const connectionLimit = connectionLimitOf(config);
  const open = (port: number, door: Door) =>
    startHttpServer({ ...listening, port, connectionLimit, beginsTraces: true, ...doorway(parts, door) });

  const verifier = createVerifier('gateway', config.TRUSTED_KEYS);
  const mount = (app: Express) => internalRoutes(app, { database, verifier });
  const internal = await startHttpServer({ ...listening, port: config.INTERNAL_PORT, mount });
  const admin = config.ADMIN_PORT === undefined ? undefined : await open(config.ADMIN_PORT, 'operators');
  const server = await open(config.PORT, admin ? 'merchants' : 'everybody');
  const gauges = [...relay.gauges, readCircuits];
  const metrics = await startMetrics({ service: 'gateway', config, log, database, gauges });

  return {
    url: server.url,
    internalUrl: internal.url,
    adminUrl: (admin ?? server).url,
    async stop() {
      await Promise.all([server, admin, internal].map((each) => each?.stop()));
      await closeForward();
      await keyUses.stop();
      await relay.stop();
      await Promise.all([pruning, forgetting, schedule, metrics, time].map((each) => each.stop()));
      await database.close();
    },
  };
}

function targetsOf(config: z.infer<typeof gatewayConfig>) {
  return {
    charges: config.CHARGES_URL,
    withdrawals: config.WITHDRAWALS_URL,
    ledger: config.LEDGER_URL,
    webhooks: config.WEBHOOKS_URL,
  };
}

function listeningOf(config: z.infer<typeof gatewayConfig>) {
  const { HOST: host, DRAIN_MS: drainMs, STALLED_AFTER_MS: stalledAfterMs } = config;
  return { host, drainMs, stalledAfterMs, maxHeadBytes: MAX_HEAD_BYTES };
}

function connectionLimitOf(config: z.infer<typeof gatewayConfig>) {
  const isOurProxy = addressList(config.TRUSTED_PROXIES);
  const callerOf = (address: string) => connectingNetwork(address, isOurProxy);
  return { perCaller: config.CONNECTIONS_PER_ADDRESS, callerOf };
}

function limitsOf(config: z.infer<typeof gatewayConfig>) {
  return {
    aSecond: { perKey: config.RATE_LIMIT_PER_KEY, perAddress: config.RATE_LIMIT_PER_ADDRESS },
    ofLogins: { perAddress: config.LOGIN_LIMIT_PER_ADDRESS, perAccount: config.LOGIN_LIMIT_PER_ACCOUNT },
  };
}

/** An empty installation gets its first ADMIN from the configuration; later the configuration changes nothing. */
async function addFirstOperator(
  { database, passwords }: { database: Database; passwords: Passwords },
  { email, password }: { email: string; password: string },
): Promise<void> {
  if (await hasOperators(database)) return;
  await insertFirstOperator(database, email, await passwords.hash(password));
}
