import { auditLogs, deadLetters } from '@plataforma/contracts';
import { createSecretBox, migrateOnStart, openDatabase, startDatabaseClock } from '@plataforma/data';
import {
  auditRoutes,
  createOutbound,
  createVerifier,
  startForgettingKeys,
  startHttpServer,
} from '@plataforma/http';
import { readConfig } from '@plataforma/kernel';
import { deadLetterRoutes, listen, startPruning } from '@plataforma/messaging';
import { createLog } from '@plataforma/observe';
import { createStartRetry, type Running, startMetrics } from '@plataforma/service';
import { migrations } from '../migrations/index.ts';
import { webhooksConfig } from './config.ts';
import { ATTEMPT_TIMEOUT_MS, LATER_DELAYS_MS, RETRY_DELAYS_MS } from './domain/delivery.ts';
import { createPostDelivery } from './endpoints/post-delivery.ts';
import { applyingEvents } from './events.ts';
import { adminRoutes } from './http/admin-routes.ts';
import { configurationRoutes } from './http/configuration-routes.ts';
import { deliveryRoutes } from './http/delivery-routes.ts';
import { eventRoutes } from './http/event-routes.ts';
import { timelineRoutes } from './http/timeline-routes.ts';
import { startSchedule } from './schedule.ts';
import { type Pace, startSender } from './sending/sender.ts';
import { DELIVERIES_SIGNAL } from './steps/deliveries-signal.ts';
import { deliveryGauges } from './store/gauges.ts';

interface Tuning extends Pace {
  attemptTimeoutMs: number;
  pollMs: number;
  forgetEveryMs: number;
  resealEveryMs: number;
}

const productionTuning: Tuning = {
  limits: { total: 512, perEndpoint: 16 },
  retryDelaysMs: RETRY_DELAYS_MS,
  laterDelaysMs: LATER_DELAYS_MS,
  attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
  pollMs: 1_000,
  forgetEveryMs: 60_000,
  resealEveryMs: 10_000,
  leaseMs: 20_000,
  drainMs: 8_000,
};

/** Wires the webhooks service: events and configurations in, signed deliveries out. */
export async function startWebhooks(
  env: NodeJS.ProcessEnv,
  tuning: Partial<Tuning> = {},
  stopping?: AbortSignal,
): Promise<Running & { url: string }> {
  const config = readConfig(webhooksConfig, env);
  const tuned = { ...productionTuning, ...tuning };
  const { attemptTimeoutMs, pollMs, forgetEveryMs, resealEveryMs, ...pace } = tuned;
  const log = createLog({ service: 'webhooks', level: config.LOG_LEVEL });
  const retry = createStartRetry({ config, log, stopping });
  await retry(() => migrateOnStart(config, migrations, 'webhooks'));
  const database = openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, log });
  const { clock, ...time } = await startDatabaseClock(database, log);
  const verifier = createVerifier('webhooks', config.TRUSTED_KEYS);
  const secretBox = createSecretBox(config.WEBHOOK_SECRET_KEYS);
  const allowInsecure = config.WEBHOOK_ALLOW_INSECURE;
  const outbound = createOutbound({ allowInsecure });
  const retention = {
    eventRetentionDays: config.EVENT_RETENTION_DAYS,
    deliveryRetentionDays: config.DELIVERY_RETENTION_DAYS,
  };

  const post = createPostDelivery({ outbound, secretBox, log, timeoutMs: attemptTimeoutMs });
  const sender = startSender({ database, log, post, cancelRequests: outbound.close, pace });
  database.onSignal(DELIVERIES_SIGNAL, sender.wake);
  const apply = applyingEvents(sender.sendNew);
  const [, ...olderKeys] = config.WEBHOOK_SECRET_KEYS;
  const schedule = startSchedule({
    database,
    log,
    clock,
    sender,
    pollMs,
    retention,
    forgetEveryMs,
    secretBox,
    olderKeyIds: olderKeys.map(({ id }) => id),
    resealEveryMs,
  });
  const listener = listen({ database, brokerUrl: config.AMQP_URL, log, subscriber: 'webhooks', apply });
  const pruning = startPruning(database, log);
  const forgetting = startForgettingKeys(database, log);
  const server = await startHttpServer({
    log,
    host: config.HOST,
    port: config.PORT,
    drainMs: config.DRAIN_MS,
    needs: { database: () => database.query('SELECT 1') },
    uses: { broker: () => listener.isConnected() },
    mount: (app) => {
      auditRoutes(app, { verifier, database, endpoints: auditLogs.webhooks });
      deadLetterRoutes(app, { verifier, database, log, apply, endpoints: deadLetters.webhooks });
      configurationRoutes(app, { verifier, database, secretBox, allowInsecure });
      deliveryRoutes(app, { verifier, database });
      eventRoutes(app, { verifier, database, clock, ...retention });
      adminRoutes(app, { verifier, database });
      timelineRoutes(app, { verifier, database });
    },
  });
  const gauges = [...listener.gauges, ...deliveryGauges(database, sender.heldBack)];
  const metrics = await startMetrics({ service: 'webhooks', config, log, database, gauges });

  return {
    url: server.url,
    async stop() {
      const all = [server, listener, schedule, pruning, forgetting, sender, time];
      await Promise.all(all.map((each) => each.stop()));
      await metrics.stop();
      await database.close();
    },
  };
}
