import { migrateOnStart, openDatabase, startDatabaseClock } from '@plataforma/data';
import { readBody, startHttpServer } from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { createStartRetry, type Running, startMetrics } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { sandboxPspConfig } from './config.ts';
import { cardRoutes } from './http/card-routes.ts';
import { chargeRoutes } from './http/charge-routes.ts';
import { controlCardRoutes } from './http/control-card-routes.ts';
import { controlFaultRoutes } from './http/control-fault-routes.ts';
import { controlRoutes } from './http/control-routes.ts';
import { gnRoutes } from './http/gn-routes.ts';
import { payloadRoutes } from './http/payload-routes.ts';
import { createPayloadSigner } from './http/payload-signer.ts';
import { paymentRoutes } from './http/payment-routes.ts';
import { answerNothingHere, answerProblem } from './http/problems.ts';
import { refundRoutes } from './http/refund-routes.ts';
import { tokenRoutes } from './http/token-routes.ts';
import { truthRoutes } from './http/truth-routes.ts';
import { deliverCallback } from './operations/deliver-callback.ts';
import { endDueCardCharge } from './operations/end-due-card-charge.ts';
import { endDuePayout } from './operations/end-due-payout.ts';
import { endDueRefund } from './operations/end-due-refund.ts';
import { openReceivers } from './receivers/receivers.ts';
import { scheduleCallbacks, scheduleSettlements } from './schedule.ts';
import { loadSigningKey } from './store/signing-key.ts';

export type SandboxPsp = Running & { url: string; controlUrl: string };

interface Tuning {
  /** How often to look for callbacks that no signal told of. */
  callbackPollMs: number;
}

const productionTuning: Tuning = { callbackPollMs: 500 };

/** Wires the bank: API Pix for receivers, QR payloads for payers' banks, the control API, callbacks out. */
export async function startSandboxPsp(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
): Promise<SandboxPsp> {
  const config = readConfig(sandboxPspConfig, env);
  const { callbackPollMs } = { ...productionTuning, ...tuning };
  const log = createLog({ service: 'sandbox-psp', level: config.LOG_LEVEL });
  const retry = createStartRetry({ config, log, stopping });
  await retry(() => migrateOnStart(config, migrations, 'sandbox-psp'));
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const clients = config.CLIENTS;
  const signer = await createPayloadSigner(await retry(() => loadSigningKey(database)));
  const receivers = openReceivers();
  const needs = { database: () => database.query('SELECT 1') };
  const publicUrl = () => config.PUBLIC_URL ?? server.url;

  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    drainMs: config.DRAIN_MS,
    needs,
    mount: (app) => {
      tokenRoutes(app, clients);
      chargeRoutes(app, { database, clients, publicUrl });
      paymentRoutes(app, { database, clients });
      refundRoutes(app, { database, clients, delayMs: config.REFUND_SETTLEMENT_MS });
      payloadRoutes(app, { database, signer, publicUrl });
      gnRoutes(app, { database, clients, log });
      cardRoutes(app, { database, clients, log, delayMs: config.CARD_SETTLEMENT_MS });
      app.use(answerNothingHere);
      app.use(answerProblem(log));
    },
  });
  const control = await startHttpServer({
    log,
    host: config.CONTROL_HOST,
    port: config.CONTROL_PORT,
    drainMs: config.DRAIN_MS,
    needs,
    mount: (app) => {
      app.use('/control', readBody());
      controlRoutes(app, { database, clients });
      controlCardRoutes(app, database);
      controlFaultRoutes(app, database);
      truthRoutes(app, database);
    },
  });
  const time = await startDatabaseClock(database, log);
  const callbacks = scheduleCallbacks({
    database,
    log,
    clock: time.clock,
    deliver: (callback) => deliverCallback(callback, { database, clients, receivers, log }),
    breakOff: receivers.close,
    pollMs: callbackPollMs,
  });

  const settlements = scheduleSettlements(database, log, [endDueRefund, endDueCardCharge, endDuePayout]);
  const metrics = await startMetrics({ service: 'sandbox-psp', config, log, database });

  return {
    url: server.url,
    controlUrl: control.url,
    async stop() {
      await Promise.all([server.stop(), control.stop(), settlements.stop(), callbacks.stop()]);
      await Promise.all([receivers.close(), time.stop()]);
      await metrics.stop();
      await database.close();
    },
  };
}
